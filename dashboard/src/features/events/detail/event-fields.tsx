import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Event } from '../../../lib/api-types.ts';
import { formatExactTime } from '../../../lib/format.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { LongText } from '../../../ui/event/long-text.tsx';
import { ValueFilter } from '../filters/value-filter.tsx';
import { isFindable } from '../filters/value-name.ts';
import { groupQuery } from '../queries.ts';
import { texts } from '../texts.ts';

/** Maximum length of a value that filters; a longer one is cut. */
const MAX_FILTERED_LENGTH = 200;

/** The fields that every event has. The correlation id of an event without a correlation is its fingerprint. */
export function EventFields({ event }: { event: Event }) {
  const { data: projects } = useQuery(projectsQuery);
  const { id, type, source, projectId, correlationId, fingerprint, release, severity } = event;
  const { environment, groupId, amount, capturedAt, receivedAt, changed, scrubbed, payload } = event;
  const project = projects?.find((known) => known.id === projectId);
  const { data: group } = useQuery({ ...groupQuery(groupId ?? ''), enabled: groupId !== null });
  return (
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 text-sm">
      <Field name={names.captured}>
        {formatExactTime(capturedAt)} <RelativeTime at={capturedAt} className="text-text-muted" />
      </Field>
      <Field name={names.received}>{formatExactTime(receivedAt)}</Field>
      <Field name={names.severity}>
        <ValueFilter name="severity" value={severity} />
      </Field>
      <Field name={names.type}>
        <Value name="type" value={type} />
      </Field>
      <Field name={names.source}>
        <Value name="source" value={source} />
      </Field>
      {payload.handled === false && <Field name={names.handled}>{texts.event.no}</Field>}
      {amount && <Field name={names.amount}>{amount.text}</Field>}
      <Field name={names.project}>
        <Link
          to="/projects/$projectId"
          params={{ projectId }}
          className="inline-block min-w-6 leading-6 text-accent underline underline-offset-2"
        >
          {project ? describeProject(project) : projectId}
        </Link>
      </Field>
      <Field name={names.environment}>
        <ValueFilter name="environment" value={environment} />
      </Field>
      <Field name={names.correlationId} exact>
        <Value
          name={isFindable(event) ? 'correlation' : 'correlation_id'}
          value={correlationId === fingerprint ? null : correlationId}
        />
      </Field>
      {groupId !== null && (
        <Field name={names.group}>
          <ValueFilter name="group_id" value={groupId} text={group?.key ?? groupId} />{' '}
          <Link
            to="/groups/$groupId"
            params={{ groupId }}
            className="inline-block min-w-6 leading-6 text-accent underline underline-offset-2"
          >
            {texts.event.openGroup}
          </Link>
        </Field>
      )}
      <Field name={names.fingerprint} exact>
        <ValueFilter name="fingerprint" value={fingerprint} />
      </Field>
      <Field name={names.release} exact>
        <Value name="release" value={release} />
      </Field>
      <Field name={names.eventId} exact>
        {id}
      </Field>
      {changed.length > 0 && (
        <Field name={names.changed}>{changed.map((part) => texts.event.changed[part]).join(' · ')}</Field>
      )}
      {Object.keys(scrubbed).length > 0 && (
        <Field name={names.scrubbed}>{texts.event.scrubbed(scrubbed)}</Field>
      )}
    </dl>
  );
}

const names = texts.event.fields;

/** A value that filters, unless it is too long for an address. */
function Value({ name, value }: { name: string; value: string | null }) {
  if (value === null) return <span className="text-text-muted">{texts.event.none}</span>;
  return value.length > MAX_FILTERED_LENGTH || value === '' ? (
    <LongText text={value} />
  ) : (
    <ValueFilter {...{ name, value }} />
  );
}

function Field({ name, exact = false, children }: { name: string; exact?: boolean; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-muted">{name}</dt>
      <dd className={`wrap-anywhere ${exact ? 'font-mono text-xs leading-5' : ''}`}>{children}</dd>
    </>
  );
}

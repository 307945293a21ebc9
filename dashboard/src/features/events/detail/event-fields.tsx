import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Event } from '../../../lib/api-types.ts';
import { formatExactTime } from '../../../lib/format.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { LongText } from '../../../ui/event/long-text.tsx';
import type { ChangeSearch, SearchChanges } from '../filters/use-event-search.ts';

/** A longer value is cut, and is no link. */
const MAX_FILTERED_LENGTH = 200;

/** The fields that every event has. An event without a correlation has its fingerprint as correlation id. */
export function EventFields({ event, onFilter }: { event: Event; onFilter: ChangeSearch }) {
  const { data: projects } = useQuery(projectsQuery);
  const { id, type, source, projectId, correlationId, fingerprint, release, capturedAt, receivedAt } = event;
  const project = projects?.find((known) => known.id === projectId);
  return (
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
      <Field name="Captured">
        {formatExactTime(capturedAt)} <RelativeTime at={capturedAt} className="text-text-muted" />
      </Field>
      <Field name="Received">{formatExactTime(receivedAt)}</Field>
      <Field name="Type">
        <Filtering changes={{ type }} onFilter={onFilter} text={type} />
      </Field>
      <Field name="Source">
        {source === null ? <Missing /> : <Filtering changes={{ source }} onFilter={onFilter} text={source} />}
      </Field>
      <Field name="Project">
        <Link
          to="/projects/$projectId"
          params={{ projectId }}
          className="text-accent underline underline-offset-2"
        >
          {project ? describeProject(project) : projectId}
        </Link>
      </Field>
      <Field name="Correlation id" exact>
        {correlationId === fingerprint ? (
          <Missing />
        ) : correlationId.length > MAX_FILTERED_LENGTH ? (
          <LongText text={correlationId} />
        ) : (
          <Filtering changes={{ correlation_id: correlationId }} onFilter={onFilter} text={correlationId} />
        )}
      </Field>
      <Field name="Fingerprint" exact>
        <Filtering changes={{ fingerprint }} onFilter={onFilter} text={fingerprint} />
      </Field>
      <Field name="Release" exact>
        {release === null ? (
          <Missing />
        ) : (
          <Filtering changes={{ release }} onFilter={onFilter} text={release} />
        )}
      </Field>
      <Field name="Event id" exact>
        {id}
      </Field>
    </dl>
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

interface FilteringProps {
  text: string;
  changes: SearchChanges;
  onFilter: ChangeSearch;
}

/** A value that narrows the list to those that share it. */
function Filtering({ text, changes, onFilter }: FilteringProps) {
  return (
    <button
      type="button"
      title="Show only these"
      onClick={() => onFilter(changes)}
      className="rounded text-left wrap-anywhere underline decoration-line-strong decoration-dotted underline-offset-2 hover:decoration-solid"
    >
      {text}
    </button>
  );
}

function Missing() {
  return <span className="text-text-muted">none</span>;
}

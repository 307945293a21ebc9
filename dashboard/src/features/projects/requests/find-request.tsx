import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { MAX_ID_LENGTH } from '../../../../../server/src/requests/limits.ts';
import type { FoundRequest } from '../../../lib/api-types.ts';
import { formatExactTime } from '../../../lib/format.ts';
import { Button, buttonClass } from '../../../ui/controls/button.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form, textOf } from '../../../ui/forms/form.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { findRequestQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.find;

/** The field for an id, and what became of its request. */
export function FindRequest({ projectId }: { projectId: string }) {
  const [id, setId] = useState('');
  const { data: found, error, refetch } = useQuery(findRequestQuery(projectId, id));
  const submit = (values: FormData) => {
    const typed = textOf(values, 'id').trim();
    if (typed === id) void refetch();
    else setId(typed);
  };
  return (
    <Section title={words.title}>
      <Form errors={null} onSubmit={submit} className="flex max-w-2xl flex-wrap items-start gap-2">
        <TextField
          label={words.label}
          labelHidden
          hint={words.hint}
          name="id"
          maxLength={MAX_ID_LENGTH}
          autoComplete="off"
          className="flex-1 basis-64"
        />
        <Button type="submit">{words.button}</Button>
      </Form>
      {id !== '' && (
        <div role="status" className="mt-3">
          {found ? <Found {...{ found, projectId }} /> : <QueryState query={{ error, refetch }} rows={1} />}
        </div>
      )}
    </Section>
  );
}

function Found({ found, projectId }: { found: FoundRequest; projectId: string }) {
  const { state, eventId, groupId, jobId, steps, alike, onDisk } = found;
  return (
    <>
      <p className="font-semibold">{words.states[state]}</p>
      {steps.length > 0 && (
        <ol className="my-2 list-decimal pl-5">
          {steps.map(({ step, at, detail }, index) => (
            <li key={index}>
              {words.steps[step]}
              {at && <span className="text-text-muted"> · {formatExactTime(at)}</span>}
              {detail && <span className="block text-sm">{detail}</span>}
            </li>
          ))}
        </ol>
      )}
      <Changes {...found} />
      {onDisk > 0 && state !== 'stored' && <p className="text-sm text-text-muted">{words.onDisk(onDisk)}</p>}
      {jobId && (
        <p className="text-sm text-text-muted">
          {words.job} <span className="font-mono">{jobId}</span>
        </p>
      )}
      {alike.length > 0 && (
        <p className="text-sm text-text-muted">
          {words.alike}{' '}
          {alike.map((other) => (
            <span key={other.jobId} className="block">
              <span className="font-mono">{other.jobId}</span> · {formatExactTime(other.acceptedAt)}
            </span>
          ))}
        </p>
      )}
      {eventId && (
        <p className="mt-2 flex flex-wrap gap-2">
          <Link
            to="/events"
            search={{ project: projectId, event: eventId }}
            className={buttonClass('primary')}
          >
            {words.viewEvent}
          </Link>
          {groupId && (
            <Link to="/groups/$groupId" params={{ groupId }} className={buttonClass()}>
              {words.viewGroup}
            </Link>
          )}
        </p>
      )}
    </>
  );
}

/** The parts of an event that ingestion has changed, and how many secrets it replaced. */
function Changes({ changed, scrubbed }: FoundRequest) {
  const secrets = Object.values(scrubbed).reduce((sum, count) => sum + count, 0);
  return (
    <>
      {changed.length > 0 && (
        <p className="text-sm">
          <span className="text-text-muted">{words.changed}:</span>{' '}
          {changed.map((part) => texts.changed[part]).join(' · ')}
        </p>
      )}
      {secrets > 0 && <p className="text-sm">{words.filtered(secrets)}</p>}
    </>
  );
}

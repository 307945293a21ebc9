import type { CheckInRecord } from '../../lib/api-types.ts';
import { formatExactTime, formatMinute } from '../../lib/format.ts';
import { texts } from './texts.ts';

const BAD = new Set(['error', 'missed', 'timed_out']);

interface CheckInListProps {
  label: string;
  /** Check-ins, newest first. */
  checkIns: readonly CheckInRecord[];
}

/** The check-ins of a job, missed ones included; the list scrolls. */
export function CheckInList({ label, checkIns }: CheckInListProps) {
  if (checkIns.length === 0) return <p className="text-text-muted">{texts.empty}</p>;
  return (
    <ol tabIndex={0} aria-label={label} className="max-h-96 overflow-y-auto text-sm">
      {checkIns.map(({ id, status, at, dueAt, durationSeconds, body }) => (
        <li key={id} className="flex flex-wrap gap-x-3 border-b border-line py-1.5">
          <time dateTime={at} title={formatExactTime(at)}>
            {formatMinute(at)}
          </time>
          <span className={BAD.has(status) ? 'font-semibold text-critical' : ''}>
            {texts.statuses[status]}
          </span>
          <span className="text-text-muted">
            {durationSeconds !== null && texts.took(durationSeconds)}
            {status === 'missed' && dueAt !== null && texts.due(formatMinute(dueAt))}
          </span>
          {body !== null && (
            <details className="basis-full text-xs">
              <summary className="cursor-pointer leading-6 text-text-muted">{texts.output}</summary>
              <pre className="mt-1 max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere">{body}</pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

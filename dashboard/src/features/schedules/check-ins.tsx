import { useQuery } from '@tanstack/react-query';
import type { ScheduleRecord } from '../../lib/api-types.ts';
import { formatExactTime } from '../../lib/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ListTime } from '../../ui/display/list-time.tsx';
import { QueryState } from '../../ui/feedback/states.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { checkInsQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.history;
const BAD = new Set(['error', 'missed', 'timed_out']);

/** The newest check-ins of a schedule, missed ones included. */
export function CheckIns({ schedule, onClose }: { schedule: ScheduleRecord; onClose: () => void }) {
  const { data, error, refetch } = useQuery(checkInsQuery(schedule));
  return (
    <Dialog title={words.title(schedule.name)} onClose={onClose}>
      {!data && <QueryState query={{ error, refetch }} rows={4} />}
      {data?.items.length === 0 && <p className="text-text-muted">{words.empty}</p>}
      {data && data.items.length > 0 && (
        <ol tabIndex={0} aria-label={words.title(schedule.name)} className="max-h-96 overflow-y-auto text-sm">
          {data.items.map(({ id, status, at, dueAt, durationSeconds, body }) => (
            <li key={id} className="flex flex-wrap gap-x-3 border-b border-line py-1.5">
              <ListTime at={at} />
              <span className={BAD.has(status) ? 'font-semibold text-critical' : ''}>
                {words.statuses[status]}
              </span>
              <span className="text-text-muted">
                {durationSeconds !== null && words.took(durationSeconds)}
                {status === 'missed' && dueAt !== null && words.due(formatExactTime(dueAt))}
              </span>
              {body !== null && (
                <details className="basis-full text-xs">
                  <summary className="cursor-pointer text-text-muted">{words.output}</summary>
                  <pre className="mt-1 max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
                    {body}
                  </pre>
                </details>
              )}
            </li>
          ))}
        </ol>
      )}
      {data && data.next !== null && (
        <p className="mt-2 text-xs text-text-muted">{words.newest(data.items.length)}</p>
      )}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {words.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

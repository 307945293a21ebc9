import { useQuery } from '@tanstack/react-query';
import type { ScheduleRecord } from '../../lib/api-types.ts';
import { checkInsQuery } from '../../lib/schedules/schedule-queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/feedback/states.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { CheckInList } from '../../ui/schedules/check-in-list.tsx';
import { texts } from './texts.ts';

const words = texts.history;

/** The newest check-ins of a schedule, missed ones included. */
export function CheckIns({ schedule, onClose }: { schedule: ScheduleRecord; onClose: () => void }) {
  const { data, error, refetch } = useQuery(checkInsQuery(schedule));
  const title = words.title(schedule.name);
  return (
    <Dialog title={title} onClose={onClose}>
      {data ? (
        <CheckInList label={title} checkIns={data.items} />
      ) : (
        <QueryState query={{ error, refetch }} rows={4} />
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

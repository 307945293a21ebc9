import { useMutation } from '@tanstack/react-query';
import type { ScheduleRecord } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { PingAddress } from './ping-address.tsx';
import { replacePingUrl } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.replace;

/** Asks before an address is replaced: the job cannot check in until it has the new one. */
export function ReplaceAddress({ schedule, onClose }: { schedule: ScheduleRecord; onClose: () => void }) {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => replacePingUrl(schedule) });
  const { name, cron } = schedule;
  if (data) return <PingAddress {...{ name, cron, onClose }} pingUrl={data.pingUrl} />;
  return (
    <Dialog key="asked" title={words.title(name)} onClose={onClose}>
      {error && <Alert>{error.message}</Alert>}
      <p>{words.consequence}</p>
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button variant="danger" busy={isPending} onClick={() => mutate()}>
          {words.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

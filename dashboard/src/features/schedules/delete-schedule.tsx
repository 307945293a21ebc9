import { useMutation } from '@tanstack/react-query';
import type { ScheduleRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { schedulesQuery } from '../../lib/schedules/schedule-queries.ts';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { ConfirmByName } from '../../ui/forms/confirm-by-name.tsx';
import { deleteSchedule } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.remove;

/** Names the consequences of deleting a schedule, and asks for its name. */
export function DeleteSchedule({ schedule, onClose }: { schedule: ScheduleRecord; onClose: () => void }) {
  const { name, projectId } = schedule;
  const deletion = useMutation({
    mutationFn: () => deleteSchedule(schedule),
    onSuccess: async () => {
      await queryClient.invalidateQueries(schedulesQuery(projectId));
      showToast(words.done(name));
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={words.title(name)}
      name={name}
      action={words.confirm}
      busy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>{words.consequence}</p>
    </ConfirmByName>
  );
}

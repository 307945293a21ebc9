import { useMutation } from '@tanstack/react-query';
import type { ScheduleRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { schedulesQuery } from '../../lib/schedules/schedule-queries.ts';
import { RowMenu } from '../../ui/controls/row-menu.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { changeSchedule } from './queries.ts';
import { texts } from './texts.ts';

/** Actions that open a dialog. */
export type RowAction = 'history' | 'edit' | 'address' | 'remove';

interface ScheduleMenuProps {
  schedule: ScheduleRecord;
  onAction: (action: RowAction) => void;
}

export function ScheduleMenu({ schedule, onAction }: ScheduleMenuProps) {
  const { menu } = texts;
  const { name, paused, projectId } = schedule;
  const pause = useMutation({
    mutationFn: () => changeSchedule(schedule, { paused: !paused }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(schedulesQuery(projectId));
      showToast(paused ? texts.resumed(name) : texts.paused(name));
    },
    onError: (error) => showToast(error.message),
  });
  return (
    <RowMenu
      of={name}
      disabled={pause.isPending}
      items={[
        { label: menu.history, onSelect: () => onAction('history') },
        { label: menu.edit, onSelect: () => onAction('edit') },
        { label: paused ? menu.resume : menu.pause, onSelect: () => pause.mutate() },
        { label: menu.address, onSelect: () => onAction('address') },
      ]}
      last={{ label: menu.remove, onSelect: () => onAction('remove') }}
    />
  );
}

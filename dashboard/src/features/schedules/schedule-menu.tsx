import { useMutation } from '@tanstack/react-query';
import type { ScheduleRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { schedulesQuery } from '../../lib/schedules/schedule-queries.ts';
import { Menu } from '../../ui/controls/menu.tsx';
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
    <Menu
      label={menu.label}
      name={menu.name(name)}
      disabled={pause.isPending}
      groups={[
        {
          items: [
            { label: menu.history, onSelect: () => onAction('history') },
            { label: menu.edit, onSelect: () => onAction('edit') },
            { label: paused ? menu.resume : menu.pause, onSelect: () => pause.mutate() },
          ],
        },
        {
          items: [
            { label: menu.address, onSelect: () => onAction('address') },
            { label: menu.remove, onSelect: () => onAction('remove') },
          ],
        },
      ]}
    />
  );
}

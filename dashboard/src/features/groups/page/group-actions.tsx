import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { GroupDetail } from '../../../lib/api-types.ts';
import { useNarrow } from '../../../lib/use-narrow.ts';
import { MoreMenu } from '../../../ui/controls/more-menu.tsx';
import { SilenceSlot } from '../../../ui/silences/silence-slot.tsx';
import { ChangeButtons, UndoButton } from '../change/change-buttons.tsx';
import { holdChange, undoChange, useHeldChange } from '../change/held-change.ts';
import { useAssignItems } from '../change/use-assign-items.ts';
import { texts } from '../texts.ts';
import { useGroupShare } from './use-group-share.ts';

interface GroupActionsProps {
  group: GroupDetail;
  /** Name of the project; null: not known. */
  project: string | null;
}

/** The buttons of a group, and the rest behind “⋯”; phones have two of the buttons. */
export function GroupActions({ group, project }: GroupActionsProps) {
  const held = useHeldChange();
  const isHeld = held?.groups.some(({ id }) => id === group.id) ?? false;
  const isNarrow = useNarrow();
  const { change: opens } = useSearch({ from: '/inside/groups/$groupId' });
  const navigate = useNavigate({ from: '/groups/$groupId' });
  // Opens once: a reload and the way back do not open it again.
  useEffect(() => {
    if (opens) void navigate({ search: (previous) => ({ ...previous, change: undefined }), replace: true });
  }, [opens, navigate]);
  const change = (patch: Parameters<typeof holdChange>[1]) => holdChange([group], patch);
  const assignItems = useAssignItems([group], change);
  const items = useGroupShare(group, project);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isHeld && held ? (
        <>
          <span role="status" className="text-sm">
            {texts.change.held(held.patch, 1)}
          </span>
          <UndoButton onUndo={undoChange} />
        </>
      ) : (
        <ChangeButtons groups={[group]} onChange={change} opens={opens} folds />
      )}
      <SilenceSlot
        id={group.id}
        projectId={group.projectId}
        type={group.type}
        source={group.source}
        groupKey={group.key}
        scheduleId={null}
      />
      <MoreMenu
        groups={[
          {
            items: [
              ...(isNarrow && group.state === 'muted'
                ? [{ label: texts.change.reopen, onSelect: () => change({ state: 'open' }) }]
                : []),
              ...items,
            ],
          },
          ...(isNarrow ? [{ heading: texts.change.assign, items: assignItems }] : []),
        ]}
      />
    </div>
  );
}

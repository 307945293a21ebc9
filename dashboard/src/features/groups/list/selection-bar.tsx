import { useMutation } from '@tanstack/react-query';
import type { Group } from '../../../lib/api-types.ts';
import { queryClient } from '../../../lib/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Key } from '../../../ui/controls/key.tsx';
import { Alert } from '../../../ui/feedback/states.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { ChangeButtons, UndoButton } from '../change/change-buttons.tsx';
import { doEach } from '../change/do-each.ts';
import { holdChange, undoChange, useHeldChange } from '../change/held-change.ts';
import { mergeGroups, separateGroup } from '../queries.ts';
import { texts } from '../texts.ts';
import type { OpenMenu } from './use-list-keys.ts';

interface SelectionBarProps {
  groups: readonly Group[];
  onClear: () => void;
  /** Open menu of a group that is not selected. */
  openMenu: OpenMenu | null;
  onCloseMenu: () => void;
}

/** The actions on the selected groups, and the undo of the last one. It floats: no row moves. */
export function SelectionBar({ groups, onClear, openMenu, onCloseMenu }: SelectionBarProps) {
  const held = useHeldChange();
  if (groups.length === 0 && !held && !openMenu) return null;
  return (
    <div
      role="toolbar"
      aria-label={texts.change.actions}
      className="sticky bottom-16 z-10 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised px-3 py-2 shadow-lg sm:bottom-3"
    >
      {held && (
        <>
          <span role="status" className="text-sm">
            {texts.change.held(held.patch, held.groups.length)}
          </span>
          <UndoButton onUndo={undoChange} />
        </>
      )}
      {groups.length === 0 && openMenu && (
        <>
          <span className="text-sm">{openMenu.group.key}</span>
          <ChangeButtons
            key={`${openMenu.group.id} ${openMenu.menu}`}
            groups={[openMenu.group]}
            opens={openMenu.menu}
            onChange={(patch) => {
              holdChange([openMenu.group], patch);
              onCloseMenu();
            }}
            onClose={onCloseMenu}
          />
        </>
      )}
      {groups.length > 0 && (
        <>
          <span role="status" className="text-sm">
            {texts.change.selected(groups.length)}
          </span>
          <ChangeButtons
            groups={groups}
            onChange={(patch) => {
              holdChange(groups, patch);
              onClear();
            }}
          />
          <MergeButton groups={groups} onMerged={onClear} />
          <Button variant="ghost" onClick={onClear}>
            {texts.change.clear} <Key>{texts.change.clearKey}</Key>
          </Button>
        </>
      )}
    </div>
  );
}

/** Merges the selected groups of one project; an error stays beside the button. */
function MergeButton({ groups, onMerged }: { groups: readonly Group[]; onMerged: () => void }) {
  const merge = useMutation({
    mutationFn: ({ into, others }: { into: Group; others: Group[] }) =>
      mergeGroups(
        into.id,
        others.map(({ id }) => id),
      ),
    onSuccess: (_after, { into, others }) => {
      const dismiss = showToast(
        <span className="flex items-center gap-3">
          {texts.change.merged(others.length + 1, into.key)}
          <Button
            onClick={() => {
              dismiss();
              void separateAll(into, others);
            }}
          >
            {texts.change.undo}
          </Button>
        </span>,
      );
      onMerged();
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['groups'] }),
  });
  // The group with the most events keeps its title and key.
  const [into, ...others] = groups.toSorted((one, other) => other.count - one.count);
  if (!into || others.length === 0 || others.some(({ projectId }) => projectId !== into.projectId))
    return null;
  return (
    <>
      <Button busy={merge.isPending} onClick={() => merge.mutate({ into, others })}>
        {texts.change.merge}
      </Button>
      {merge.error && <Alert>{merge.error.message}</Alert>}
    </>
  );
}

async function separateAll(into: Group, merged: readonly Group[]): Promise<void> {
  const { failed, reason } = await doEach(merged, ({ id }) => separateGroup(into.id, id));
  if (failed.length > 0) showToast(texts.change.notSeparated(failed.join(', '), reason));
  await queryClient.invalidateQueries({ queryKey: ['groups'] });
}

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Group, GroupPatch } from '../../../lib/api-types.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { TIME_ZONE } from '../../../lib/time-zone.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Key } from '../../../ui/controls/key.tsx';
import { Menu } from '../../../ui/controls/menu.tsx';
import { texts as shared } from '../../../ui/texts.ts';
import { texts } from '../texts.ts';
import { muteChoices } from './mute-choices.ts';
import { MuteDialog } from './mute-dialog.tsx';
import { SilenceDialog } from './silence-dialog.tsx';
import { useAssignItems } from './use-assign-items.ts';

interface ChangeButtonsProps {
  groups: readonly Group[];
  onChange: (patch: GroupPatch) => void;
  /** Menu that is open at first. */
  opens?: MenuName | undefined;
  /** True if phones, which have no room for a third button, find the others elsewhere. */
  folds?: boolean;
  /** Called when a menu, or the dialog behind it, has closed. */
  onClose?: (() => void) | undefined;
}

export type MenuName = 'mute' | 'assign';

/** The buttons that change groups, each with a key. */
export function ChangeButtons(props: ChangeButtonsProps) {
  const { groups, onChange, opens, onClose, folds = false } = props;
  const folded = folds ? 'max-sm:hidden' : '';
  const row = useRef<HTMLSpanElement>(null);
  const [dialog, setDialog] = useState<'mute' | 'silence' | null>(null);
  const assignItems = useAssignItems(groups, onChange);
  const navigate = useNavigate();
  const [group] = groups;
  const silence = () =>
    group && groups.length === 1
      ? void navigate({ to: '/groups/$groupId', params: { groupId: group.id }, search: { silence: '1h' } })
      : setDialog('silence');
  const closeDialog = () => {
    setDialog(null);
    onClose?.();
  };
  const open = (name: MenuName) =>
    row.current?.querySelector<HTMLElement>(`[data-menu="${name}"] button`)?.click();
  const openFirst = useEffectEvent(() => opens && open(opens));
  useEffect(() => {
    openFirst();
  }, []);
  const canResolve = groups.some(({ state }) => state !== 'resolved');
  const canReopen = groups.some(({ state }) => state !== 'open');
  const resolve = (resolvedIn: NonNullable<GroupPatch['resolvedIn']>) =>
    onChange({ state: 'resolved', resolvedIn });
  useShortcuts([
    ...(canResolve ? [{ keys: 'r', label: texts.change.resolve, run: () => resolve('now') }] : []),
    ...(canReopen ? [{ keys: 'o', label: texts.change.reopen, run: () => onChange({ state: 'open' }) }] : []),
    { keys: 'm', label: texts.change.mute, run: () => open('mute') },
    { keys: 'a', label: texts.change.assign, run: () => open('assign') },
  ]);
  return (
    <span ref={row} className="contents">
      {canResolve && (
        <span className="inline-flex" data-menu="resolve">
          <Button
            variant="primary"
            aria-keyshortcuts="r"
            title={texts.change.resolveHint}
            className="rounded-r-none!"
            onClick={() => resolve('now')}
          >
            {texts.change.resolve} <Key>r</Key>
          </Button>
          <Menu
            label={<span className="sr-only">{texts.change.moreResolve}</span>}
            name={texts.change.moreResolve}
            className="rounded-l-none! border-l-0! px-2!"
            groups={[
              {
                items: (['now', 'current', 'next'] as const).map((resolution) => ({
                  label: texts.change.resolutions[resolution],
                  onSelect: () => resolve(resolution),
                })),
              },
            ]}
          />
        </span>
      )}
      {canReopen && (
        <Button
          aria-keyshortcuts="o"
          className={canResolve ? folded : ''}
          onClick={() => onChange({ state: 'open' })}
        >
          {texts.change.reopen} <Key>o</Key>
        </Button>
      )}
      <span data-menu="mute">
        <Menu
          onClose={dialog ? undefined : onClose}
          label={
            <>
              {texts.mute.orSilence} <Key>m</Key>
            </>
          }
          groups={[
            {
              items: muteChoices(Date.now(), TIME_ZONE).map(({ label, patch }) => ({
                label,
                onSelect: () => onChange(patch),
              })),
            },
            { items: [{ label: texts.mute.byCount, onSelect: () => setDialog('mute') }] },
            {
              heading: texts.mute.difference(groups.length),
              items: [{ label: shared.silence, onSelect: silence }],
            },
          ]}
        />
      </span>
      <span data-menu="assign" className={folded}>
        <Menu
          onClose={onClose}
          label={
            <>
              {texts.change.assign} <Key>a</Key>
            </>
          }
          groups={[{ items: assignItems }]}
        />
      </span>
      {dialog === 'mute' && <MuteDialog onMute={onChange} onClose={closeDialog} />}
      {dialog === 'silence' && <SilenceDialog groups={groups} onClose={closeDialog} />}
    </span>
  );
}

/** The button that undoes the last change. */
export function UndoButton({ onUndo }: { onUndo: () => void }) {
  useShortcuts([{ keys: 'z', label: texts.change.undo, run: onUndo }]);
  return (
    <Button aria-keyshortcuts="z" onClick={onUndo}>
      {texts.change.undo} <Key>z</Key>
    </Button>
  );
}

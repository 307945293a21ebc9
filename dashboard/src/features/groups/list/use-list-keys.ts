import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Group } from '../../../lib/api-types.ts';
import { type Shortcut, useShortcuts } from '../../../lib/shortcuts.ts';
import type { MenuName } from '../change/change-buttons.tsx';
import { holdChange } from '../change/held-change.ts';
import { texts } from '../texts.ts';
import type { Selection } from './use-selection.ts';

interface ListKeys {
  list: RefObject<HTMLUListElement | null>;
  shown: readonly Group[];
  selection: Selection;
}

/** Menu that a key opened on a row that is not selected. */
export interface OpenMenu {
  group: Group;
  menu: MenuName;
}

/**
 * Registers the keys of the list: j and k move the focus from title to title (Enter opens), x selects, Escape clears. Keys that
 * change groups change the selected ones, or the focused one if none is selected.
 */
export function useListKeys({ list, shown, selection }: ListKeys) {
  const [openMenu, setOpenMenu] = useState<OpenMenu | null>(null);
  const navigate = useNavigate();
  const { move, withFocused } = useRowFocus({ list, shown, isMenuOpen: openMenu !== null });

  const keys: Shortcut[] = [
    { keys: 'j', label: texts.keys.next, run: () => move(1) },
    { keys: 'k', label: texts.keys.previous, run: () => move(-1) },
    { keys: 'x', label: texts.keys.select, run: withFocused(({ id }) => selection.toggle(id)) },
    {
      keys: 'e',
      label: texts.keys.events,
      run: withFocused(
        ({ id, projectId }) =>
          void navigate({ to: '/events', search: { group_id: id, project: projectId, range: '7d' } }),
      ),
    },
  ];
  const ofFocused: Shortcut[] = [
    {
      keys: 'r',
      label: texts.keys.resolve,
      run: withFocused(
        (group) =>
          group.state !== 'resolved' && holdChange([group], { state: 'resolved', resolvedIn: 'now' }),
      ),
    },
    {
      keys: 'o',
      label: texts.keys.reopen,
      run: withFocused((group) => group.state !== 'open' && holdChange([group], { state: 'open' })),
    },
    { keys: 'm', label: texts.keys.mute, run: withFocused((group) => setOpenMenu({ group, menu: 'mute' })) },
    {
      keys: 'a',
      label: texts.keys.assign,
      run: withFocused((group) => setOpenMenu({ group, menu: 'assign' })),
    },
  ];
  useShortcuts([
    ...keys,
    ...(selection.ids.size > 0
      ? [{ keys: 'Escape', label: texts.keys.clear, run: () => selection.clear() }]
      : openMenu
        ? []
        : ofFocused),
  ]);
  return { openMenu, closeMenu: () => setOpenMenu(null) };
}

interface RowFocus extends Pick<ListKeys, 'list' | 'shown'> {
  isMenuOpen: boolean;
}

/** Moves the focus from title to title, and keeps its place when the list changes. */
function useRowFocus({ list, shown, isMenuOpen }: RowFocus) {
  const titles = () => [...(list.current?.querySelectorAll<HTMLAnchorElement>('a[data-group]') ?? [])];
  const focused = () => {
    const row = document.activeElement?.closest('li');
    return row ? titles().findIndex((title) => row.contains(title)) : -1;
  };
  const move = (step: 1 | -1) => {
    const at = focused();
    const target = at === -1 ? titles()[0] : titles()[at + step];
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  };
  const acted = useRef<{ id: string; at: number } | null>(null);
  /** Acts on the focused group, and remembers its position, since it may leave the list. */
  const withFocused = (act: (group: Group) => void) => () => {
    const at = focused();
    const group = shown.find(({ id }) => id === titles()[at]?.dataset.group);
    if (!group) return;
    acted.current = { id: group.id, at };
    act(group);
  };
  const ids = shown.map(({ id }) => id).join(' ');
  const keepPlace = useEffectEvent(() => {
    if (!acted.current || isMenuOpen || document.activeElement !== document.body) return;
    const { id, at } = acted.current;
    const own = titles().find(({ dataset }) => dataset.group === id);
    (own ?? titles()[Math.min(at, titles().length - 1)])?.focus();
    if (!own) acted.current = null;
  });
  // After a menu the focus returns to its row, or to the row in its place if it has left the list.
  useEffect(() => keepPlace(), [ids, isMenuOpen]);
  return { move, withFocused };
}

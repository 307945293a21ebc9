import type { RefObject } from 'react';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { texts } from '../texts.ts';
import type { Selection } from './use-selection.ts';

interface ListKeys {
  list: RefObject<HTMLUListElement | null>;
  selection: Selection;
}

/** j and k move the focus from title to title, so that Enter opens; x selects, and Escape clears the selection. */
export function useListKeys({ list, selection }: ListKeys): void {
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
  useShortcuts([
    { keys: 'j', says: texts.keys.next, run: () => move(1) },
    { keys: 'k', says: texts.keys.previous, run: () => move(-1) },
    {
      keys: 'x',
      says: texts.keys.select,
      run: () => {
        const id = titles()[focused()]?.dataset.group;
        if (id !== undefined) selection.toggle(id);
      },
    },
    ...(selection.ids.size > 0
      ? [{ keys: 'Escape', says: texts.keys.clear, run: () => selection.clear() }]
      : []),
  ]);
}

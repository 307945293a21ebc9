import { useState } from 'react';
import { MAX_BULK_GROUPS } from '../../../../../server/src/groups/limits.ts';

export interface Selection {
  ids: ReadonlySet<string>;
  /** @param isRange true to select all rows from the last toggled one */
  toggle: (id: string, isRange?: boolean) => void;
  clear: () => void;
}

/**
 * Keeps the selected rows, at most as many as one request may change.
 * @param shown ids in the order of the list; a row that disappears is no longer selected
 */
export function useSelection(shown: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  const ids = new Set(shown.filter((id) => chosen.has(id)));
  return {
    ids,
    toggle: (id, isRange = false) => {
      const from = isRange && last !== null ? shown.indexOf(last) : -1;
      const to = shown.indexOf(id);
      const toggled = from === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      const next = new Set(ids);
      for (const one of toggled) {
        if (ids.has(id)) next.delete(one);
        else if (next.size < MAX_BULK_GROUPS) next.add(one);
      }
      setChosen(next);
      setLast(id);
    },
    clear: () => setChosen(new Set()),
  };
}

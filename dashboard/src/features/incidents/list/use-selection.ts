import { useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  clear: () => void;
}

/** Keeps the selected rows. @param shown ids of the list; a row that disappears is no longer selected */
export function useSelection(shown: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = new Set(shown.filter((id) => chosen.has(id)));
  const toggle = (id: string) => {
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return { ids, toggle, clear: () => setChosen(new Set()) };
}

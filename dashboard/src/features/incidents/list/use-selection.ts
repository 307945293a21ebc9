import { useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  clear: () => void;
}

/** The chosen rows. @param shown what is not shown any more is not chosen either */
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

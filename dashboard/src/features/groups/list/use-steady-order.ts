import { useEffect, useState } from 'react';
import type { Group } from '../../../lib/api-types.ts';

interface SteadyOrder {
  /** In the order in which they stand on the page. */
  shown: Group[];
  /** So many have come since that are not shown. */
  waiting: number;
  /** Shows what was read last. */
  adopt: () => void;
}

/**
 * Groups move up with each event. While the reader points at the list, has chosen groups or moves in it by keyboard, no row
 * moves or appears: what is shown changes in its place, and what has come waits. What is listed no more, as once it was resolved, goes.
 * @param list names the list: another one, or a longer one, is shown as it is
 */
export function useSteadyOrder(groups: Group[] | undefined, list: string, isHeld: boolean): SteadyOrder {
  const [kept, setKept] = useState<{ list: string; groups: Group[] } | null>(null);
  const isKept = isHeld && kept?.list === list;
  // Once it is let go, what was read last is shown, and is what the next hold keeps.
  useEffect(() => {
    if (groups && !isKept) setKept({ list, groups });
  }, [groups, list, isKept]);
  if (!groups) return { shown: [], waiting: 0, adopt: () => {} };
  const read = new Map(groups.map((group) => [group.id, group]));
  const shown = isKept ? kept.groups.flatMap(({ id }) => read.get(id) ?? []) : groups;
  const known = new Set(shown.map(({ id }) => id));
  return {
    shown,
    waiting: groups.filter(({ id }) => !known.has(id)).length,
    adopt: () => setKept({ list, groups }),
  };
}

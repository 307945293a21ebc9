import { useEffect, useState } from 'react';
import type { Group } from '../../../lib/api-types.ts';

interface SteadyOrder {
  /** Groups in the order of the page. */
  shown: Group[];
  /** Number of new groups that are not shown yet. */
  waiting: number;
  /** Shows the groups as they were read last. */
  adopt: () => void;
}

/**
 * Groups move up with each event. While the user points at the list, has selected groups or moves in it by keyboard, no row
 * moves or appears: rows change in place, new ones wait, and those that are no longer listed (resolved ones, for example) disappear.
 * @param list name of the list: another one, or a longer one, is shown as read
 */
export function useSteadyOrder(groups: Group[] | undefined, list: string, isHeld: boolean): SteadyOrder {
  const [kept, setKept] = useState<{ list: string; groups: Group[] } | null>(null);
  const isKept = isHeld && kept?.list === list;
  // At the end of a hold the groups are shown as read last; the next hold keeps that order.
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

import { useEffect, useState } from 'react';
import { texts } from './texts.ts';
import { useInUse } from './use-in-use.ts';

interface SteadyRows<Row> {
  /** Rows in the order of the page. */
  shown: Row[];
  /** Words for what waits, such as "1 new, 2 moved"; null if nothing does. */
  waiting: string | null;
  /** Shows the rows as they were read last. */
  adopt: () => void;
  /** Attributes of the element around the rows, which tell when they are in use. */
  area: ReturnType<typeof useInUse>['area'];
}

/**
 * A row moves up when its incident or group has news. While the user points at the list, has selected rows or moves in it by keyboard, no row moves
 * or appears: rows change in place, new ones and other places wait, and those that are no longer listed (resolved ones, for example)
 * disappear.
 * @param list name of the list: another one, or a longer one, is shown as read
 * @param hasChosen true if rows are selected
 */
export function useSteadyRows<Row extends { id: string }>(
  rows: Row[] | undefined,
  list: string,
  hasChosen = false,
): SteadyRows<Row> {
  const [kept, setKept] = useState<{ list: string; rows: Row[] } | null>(null);
  const { isTouched, hasFocus, area } = useInUse();
  const isKept = (isTouched || hasFocus || hasChosen) && kept?.list === list;
  // At the end of a hold the rows are shown as read last; the next hold keeps that order.
  useEffect(() => {
    if (rows && !isKept) setKept({ list, rows });
  }, [rows, list, isKept]);
  const read = new Map(rows?.map((row) => [row.id, row]));
  const listed = isKept ? kept.rows.flatMap(({ id }) => read.get(id) ?? []) : [];
  // In an empty list nothing can move.
  const shown = listed.length > 0 ? listed : (rows ?? []);
  return {
    shown,
    waiting: describeWaiting(shown, rows ?? []),
    adopt: () => {
      if (rows) setKept({ list, rows });
    },
    area,
  };
}

/** Says how many rows are new or would move up. */
function describeWaiting(shown: readonly { id: string }[], rows: readonly { id: string }[]): string | null {
  const places = new Map(shown.map(({ id }, place) => [id, place]));
  const known = rows.filter(({ id }) => places.has(id));
  const added = rows.length - known.length;
  const moved = known.filter(({ id }, place) => place < (places.get(id) ?? 0)).length;
  return [added > 0 && texts.new(added), moved > 0 && texts.moved(moved)].filter(Boolean).join(', ') || null;
}

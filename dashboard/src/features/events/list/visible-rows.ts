/*
 * By hand, since rows of one height need no more: @tanstack/react-virtual 3.14, which measures them, is 10 kB compressed.
 */

/** Rows of one height under a heading that stays in sight, as a scrolled element shows them. */
export interface Viewport {
  scrollTop: number;
  /** Height of the visible part in pixels, the heading included. */
  height: number;
}

export const ROW_HEIGHT = 36;
export const HEADING_HEIGHT = 28;
/** Rows drawn beyond both ends: scrolling then shows no gap. Each costs as much as one in sight. */
export const OVERSCAN = 6;

/**
 * Returns the indexes of the rows to draw. The active one is always among them: assistive technology finds it by its
 * element.
 */
export function visibleRows({ scrollTop, height }: Viewport, count: number, active: number): number[] {
  const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - OVERSCAN);
  const end = Math.min(count, Math.ceil((scrollTop + height - HEADING_HEIGHT) / ROW_HEIGHT) + OVERSCAN);
  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  if (active >= 0 && active < first) indexes.unshift(active);
  if (active >= end && active < count) indexes.push(active);
  return indexes;
}

/**
 * Gives each row the number of its element: one that stays keeps it, a new one takes the first that is free. Changing the texts of
 * an element that left the view costs less than making another.
 * @param before numbers by the ids of the rows that were drawn before
 * @param reuses false for new elements only: a selection of text would go on to the row that takes its element
 */
export function assignElements(
  before: ReadonlyMap<string, number>,
  ids: string[],
  reuses: boolean,
): Map<string, number> {
  const taken = new Set(reuses ? ids.map((id) => before.get(id)) : before.values());
  let free = 0;
  return new Map(
    ids.map((id): [string, number] => {
      const kept = before.get(id);
      if (kept !== undefined) return [id, kept];
      while (taken.has(free)) free++;
      return [id, free++];
    }),
  );
}

/** Returns the index of the last row that is at least partly visible. */
export function lastInSight({ scrollTop, height }: Viewport): number {
  return Math.ceil((scrollTop + height - HEADING_HEIGHT) / ROW_HEIGHT) - 1;
}

/** Returns the nearest scroll position that shows a row. */
export function scrollTopFor(index: number, { scrollTop, height }: Viewport): number {
  const top = index * ROW_HEIGHT;
  const lowest = top + ROW_HEIGHT + HEADING_HEIGHT - height;
  return Math.max(lowest, Math.min(top, scrollTop));
}

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
 * Gives each row the number of its element: one that stays keeps it, and new ones behind it take those of rows that left. Changing
 * the texts of an element costs less than making another. New rows before one that stays get elements of their own: an element from
 * behind could not get there without all others being moved.
 * @param before numbers by the ids of the rows that were drawn before, in their order
 * @param reuses false for new elements only: a selection of text or the focus would go on to the row that takes its element
 */
export function assignElements(
  before: ReadonlyMap<string, number>,
  ids: string[],
  reuses: boolean,
): Map<string, number> {
  const kept = new Set(ids.filter((id) => before.has(id)));
  const left = [...before].flatMap(([id, number]) => (kept.has(id) ? [] : [number]));
  const numbers = new Set(before.values());
  const makeElement = () => {
    let number = 0;
    while (numbers.has(number)) number++;
    numbers.add(number);
    return number;
  };
  const lastKept = ids.findLastIndex((id) => kept.has(id));
  return new Map(
    ids.map((id, index) => {
      const taken = reuses && index > lastKept ? left.shift() : undefined;
      return [id, before.get(id) ?? taken ?? makeElement()];
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

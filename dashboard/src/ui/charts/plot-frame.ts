import type { TimeSlot } from './chart-time.ts';

/* Position of the plot in the element of a chart, shared by its canvas and the layers over it. */

/** Width of the count axis. */
export const COUNT_AXIS_PIXELS = 44;
/** Room for the highest value, if there is no count axis. */
export const COMPACT_AXIS_PIXELS = 36;
export const TIME_AXIS_PIXELS = 24;
/** Room for half of the last label of the time axis, with its seconds. */
export const EDGE_PIXELS = 28;
/** Room above the highest bar, if there are no labels. */
const TOP_PIXELS = 8;
export const LABEL_ROW_PIXELS = 24;
const MOMENT_ROW_PIXELS = 16;

/** Returns the rows of labels above the bars: that of moments is below that of releases. */
export function rowsOf({
  releases,
  moments = [],
}: {
  releases: readonly unknown[];
  moments?: readonly unknown[] | undefined;
}): {
  /** Index of the row of moments. */
  momentRow: 0 | 1;
  /** Height of the rows in pixels. */
  height: number;
  /** Height of everything above the bars in pixels. */
  top: number;
} {
  const momentRow = releases.length > 0 ? 1 : 0;
  const height = momentRow * LABEL_ROW_PIXELS + (moments.length > 0 ? MOMENT_ROW_PIXELS : 0);
  return { momentRow, height, top: Math.max(TOP_PIXELS, height) };
}

/** Returns the range of the time axis: whole bars, since the newest one, which has only begun, matters most. */
export function plotRange(slots: readonly TimeSlot[], { startMs, endMs }: TimeSlot): TimeSlot {
  return {
    startMs: Math.min(startMs, slots[0]?.startMs ?? startMs),
    endMs: Math.max(endMs, slots.at(-1)?.endMs ?? endMs),
  };
}

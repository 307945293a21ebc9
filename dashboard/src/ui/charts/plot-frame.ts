import type { TimeSlot } from './chart-time.ts';

/* Where the plot lies in the element of a chart: its canvas and what is laid over it agree by these. */

/** The axis of counts. */
export const COUNT_AXIS_PIXELS = 44;
/** Room for the highest value, where there is no axis of counts. */
export const COMPACT_AXIS_PIXELS = 36;
export const TIME_AXIS_PIXELS = 24;
/** Room for half of the last label of the time axis, with its seconds. */
export const EDGE_PIXELS = 28;
/** Above the highest bar, where there are no labels. */
const TOP_PIXELS = 8;
export const LABEL_ROW_PIXELS = 24;
const MOMENT_ROW_PIXELS = 16;

/** Whether there are rows of labels above the bars: that of moments is below that of releases. */
export function rowsOf({
  releases,
  moments = [],
}: {
  releases: readonly unknown[];
  moments?: readonly unknown[] | undefined;
}): {
  /** The index of the row of moments. */
  momentRow: 0 | 1;
  /** Of the rows, in pixels. */
  height: number;
  /** Of what lies above the bars. */
  top: number;
} {
  const momentRow = releases.length > 0 ? 1 : 0;
  const height = momentRow * LABEL_ROW_PIXELS + (moments.length > 0 ? MOMENT_ROW_PIXELS : 0);
  return { momentRow, height, top: Math.max(TOP_PIXELS, height) };
}

/** The range of the time axis: whole bars, since the newest one, which is hardly begun, is the one that is looked at. */
export function plotRange(slots: readonly TimeSlot[], { startMs, endMs }: TimeSlot): TimeSlot {
  return {
    startMs: Math.min(startMs, slots[0]?.startMs ?? startMs),
    endMs: Math.max(endMs, slots.at(-1)?.endMs ?? endMs),
  };
}

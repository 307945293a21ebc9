import { MAX_WINDOW_STEPS, MAX_WINDOWS } from './resolution.ts';
import { SeriesHead } from './series-head.ts';
import type { Side } from './side.ts';

/** Returns the index of what is kept by side and window. */
export function sideWindow(side: Side, window: number): number {
  return side * MAX_WINDOWS + window;
}

/** Block maxima that are kept of each window, by side. */
export const KEPT_MAXIMA = [56, 48] as const;
const SLOTS_OF_DAY = 96;
const HOURS_OF_WEEK = 168;

let end = SeriesHead.floats * 4;
const place = (unit: number, length: number) => (end += unit * length) / unit - length;
const floats = (length: number) => place(4, length);
const codes = (length: number) => place(1, length);

/** Places of the lists of a series behind its head (`series-head.ts`): floats by their index, codes by their byte. */
export const LAYOUT = {
  blockMaxima: floats(2 * MAX_WINDOWS),
  openThresholds: floats(2 * MAX_WINDOWS),
  holdThresholds: floats(2 * MAX_WINDOWS),
  counts: floats(MAX_WINDOW_STEPS),
  levels: floats(MAX_WINDOW_STEPS),
  shapes: floats(MAX_WINDOW_STEPS),
  maxima: KEPT_MAXIMA.map((kept) => codes(MAX_WINDOWS * kept)),
  highs: [codes(SLOTS_OF_DAY), codes(HOURS_OF_WEEK)],
  lows: [codes(SLOTS_OF_DAY), codes(HOURS_OF_WEEK)],
  slotMeans: codes(SLOTS_OF_DAY),
  largestUsual: codes(2 * MAX_WINDOWS),
  newestUsual: codes(2 * MAX_WINDOWS),
} as const;

/** Floats of a record, an even number. */
export const SERIES_FLOATS = 2 * Math.ceil(end / 8);
export const SERIES_BYTES = 4 * SERIES_FLOATS;

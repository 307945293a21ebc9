import { MAX_WINDOW_STEPS, MAX_WINDOWS } from './resolution.ts';
import { DOWN, UP } from './side.ts';

/** Discounted sums with memories of different length, the fastest first. */
export const MEMORIES = 5;
/** Block maxima that are kept of each window, by side. */
export const KEPT_MAXIMA = [56, 48] as const;
const SLOTS = 96;
const HOURS = 168;

/** Assigns consecutive offsets. */
class Layout {
  length = 0;

  place(length: number): number {
    this.length += length;
    return this.length - length;
  }
}

/*
 * The layout of a series in its one buffer, which is also its saved form: first 32-bit floats, then one-byte codes.
 * What is kept by side (and window) lies side by side. New fields go to the end.
 */
const floats = new Layout();
export const SUMS = floats.place(MEMORIES);
export const TIMES = floats.place(MEMORIES);
export const LEVEL = floats.place(1);
export const SHAPE = floats.place(1);
export const DEVIATIONS = floats.place(1);
export const EXPECTATIONS = floats.place(1);
export const POOLED_DISPERSION = floats.place(1);
export const DISPERSION = floats.place(1);
export const AGE = floats.place(1);
export const BANDS = floats.place(8);
export const BLOCK_MAXIMA = floats.place(2 * MAX_WINDOWS);
export const BLOCK_STEPS = floats.place(2);
export const BLOCK_EVENTS = floats.place(2);
export const MEAN_BLOCK_STEPS = floats.place(2);
export const BLOCKS = floats.place(2);
export const OPEN_THRESHOLDS = floats.place(2 * MAX_WINDOWS);
export const HOLD_THRESHOLDS = floats.place(2 * MAX_WINDOWS);
export const STATUS = floats.place(2);
export const OPENED_AGE = floats.place(2);
export const CLOSED_AGE = floats.place(2);
export const QUIET_STEPS = floats.place(2);
export const LEVEL_BEFORE = floats.place(2);
export const REPORTED_REASON = floats.place(2);
export const COUNTS = floats.place(MAX_WINDOW_STEPS);
export const LEVELS = floats.place(MAX_WINDOW_STEPS);
export const SHAPES = floats.place(MAX_WINDOW_STEPS);

const codes = new Layout();
export const MAXIMA = [
  codes.place(MAX_WINDOWS * KEPT_MAXIMA[UP]),
  codes.place(MAX_WINDOWS * KEPT_MAXIMA[DOWN]),
] as const;
const SLOT_HIGHS = codes.place(SLOTS);
const SLOT_LOWS = codes.place(SLOTS);
export const HIGHS = [SLOT_HIGHS, codes.place(HOURS)] as const;
export const LOWS = [SLOT_LOWS, codes.place(HOURS)] as const;

export const FLOAT_BYTES = floats.length * Float32Array.BYTES_PER_ELEMENT;
export const SERIES_BYTES = FLOAT_BYTES + codes.length;

export const FLOATS = floats.length;

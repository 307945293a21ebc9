import type { RecordPlace } from '../state/record-memory.ts';

/**
 * The layout of what is remembered of the silence of a series: one array of floats, saved as it lies in memory. Fields
 * are added at the end alone.
 */
export const HOURS = 24;
export const WEEKDAYS = 7;
export const KEPT_MAXIMA = 16;

let length = 0;
const place = (floats: number) => (length += floats) - floats;
/** Events, and after them the hours in which they came. */
export const HOUR_SUMS = place(HOURS);
export const HOUR_TIMES = place(HOURS);
export const WEEKDAY_SUMS = place(2 * WEEKDAYS);
export const MAXIMA = place(KEPT_MAXIMA);
/** Events of the minute, the hour and the day that run, and their known minutes. */
export const MINUTE_COUNT = place(1);
export const HAS_LATE = place(1);
export const HOUR_COUNT = place(1);
export const HOUR_KNOWN = place(1);
export const DAY_COUNT = place(1);
export const DAY_KNOWN = place(1);
/** Of the hour that runs, a minute. */
export const RATE = place(1);
export const FACTOR = place(1);
export const SEEN = place(1);
export const PREDICTED = place(1);
/** Since the last event. */
export const EXPECTED = place(1);
export const ELAPSED = place(1);
/** Sums over gaps: of expected events, and of their squares. */
export const GAPS = place(1);
export const SQUARES = place(1);
export const STATUS = place(1);
/** When the silence was reported, and what was expected until then. */
export const REPORTED = place(1);
export const REPORTED_EXPECTED = place(1);
export const BLOCKS = place(1);
export const BLOCK_MINUTES = place(1);
export const BLOCK_EVENTS = place(1);
export const BLOCK_MAXIMUM = place(1);
export const MEAN_BLOCK_MINUTES = place(1);
export const MEAN_BLOCK_EVENTS = place(1);
const FLOATS = length;
export const SILENCE_BYTES = FLOATS * Float32Array.BYTES_PER_ELEMENT;

/** All that is remembered of the silence of a series, by the offsets above. */
export class SilenceState {
  readonly #floats: Float32Array;
  /** Where it begins, in floats. */
  readonly #first: number;

  /**
   * @param place filled with zeros where it does not hold it
   * @param saved null: the place holds it already
   */
  constructor({ bytes, floats, start }: RecordPlace, saved?: Uint8Array | null) {
    this.#floats = floats;
    this.#first = start / Float32Array.BYTES_PER_ELEMENT;
    if (saved) bytes.set(saved.subarray(0, SILENCE_BYTES), start);
    else if (saved !== null) this.set(FACTOR, 1);
  }

  toBytes(): Uint8Array {
    const { buffer } = this.values(0, FLOATS).slice();
    return new Uint8Array(buffer);
  }

  at(offset: number): number {
    return this.#floats[this.#first + offset] as number; // the offsets above lie within
  }

  /** A view of so many values, from an offset on. */
  values(offset: number, count: number): Float32Array {
    return this.#floats.subarray(this.#first + offset, this.#first + offset + count);
  }

  set(offset: number, value: number): void {
    this.#floats[this.#first + offset] = value;
  }

  add(offset: number, more: number): void {
    this.set(offset, this.at(offset) + more);
  }

  /** The value, which becomes zero. */
  take(offset: number): number {
    const value = this.at(offset);
    this.set(offset, 0);
    return value;
  }
}

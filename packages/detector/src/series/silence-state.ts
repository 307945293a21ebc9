import { readHalf, writeHalf } from '../state/half-float.ts';
import type { RecordPlace, RecordViews } from '../state/record-memory.ts';

/**
 * The layout of what is remembered of the silence of a series: an array of floats, and behind them the maxima of blocks in
 * 16 bits each. It is saved as floats, with the maxima among them. Fields are added at the end alone.
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
/** As saved, the maxima are here. */
const SAVED_MAXIMA = length;
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
const SAVED_FLOATS = FLOATS + KEPT_MAXIMA;
const MAXIMA_BYTE = FLOATS * Float32Array.BYTES_PER_ELEMENT;
const HALF_BYTES = 2;
export const SILENCE_BYTES = MAXIMA_BYTE + KEPT_MAXIMA * HALF_BYTES;

/** All that is remembered of the silence of a series, by the offsets above. */
export class SilenceState {
  #floats: Float32Array;
  #bytes: Uint8Array;
  /** Where it begins, in floats. */
  #first: number;

  /**
   * @param place filled with zeros where it does not hold it
   * @param saved null: the place holds it already
   */
  constructor({ bytes, floats, start }: RecordPlace, saved?: Uint8Array | null) {
    this.#floats = floats;
    this.#bytes = bytes;
    this.#first = start / Float32Array.BYTES_PER_ELEMENT;
    if (saved) this.#load(saved);
    else if (saved !== null) this.set(FACTOR, 1);
  }

  /** Makes it a view of another record, which holds it. */
  moveTo({ bytes, floats }: RecordViews, start: number): void {
    this.#floats = floats;
    this.#bytes = bytes;
    this.#first = start / Float32Array.BYTES_PER_ELEMENT;
  }

  toBytes(): Uint8Array {
    const all = new Float32Array(SAVED_FLOATS);
    all.set(this.values(0, SAVED_MAXIMA));
    all.set(this.maxima(KEPT_MAXIMA), SAVED_MAXIMA);
    all.set(this.values(SAVED_MAXIMA, FLOATS - SAVED_MAXIMA), SAVED_MAXIMA + KEPT_MAXIMA);
    return new Uint8Array(all.buffer);
  }

  #load(saved: Uint8Array): void {
    const all = new Float32Array(SAVED_FLOATS);
    const bytes = new Uint8Array(all.buffer);
    bytes.set(saved.subarray(0, bytes.length));
    this.#floats.set(all.subarray(0, SAVED_MAXIMA), this.#first);
    const afterMaxima = SAVED_MAXIMA + KEPT_MAXIMA;
    this.#floats.set(all.subarray(afterMaxima), this.#first + SAVED_MAXIMA);
    all.subarray(SAVED_MAXIMA, afterMaxima).forEach((maximum, index) => this.setMaximum(index, maximum));
  }

  /** The maxima of so many blocks, to within 0.1%. */
  maxima(count: number): number[] {
    return Array.from({ length: count }, (_, index) => readHalf(this.#bytes, this.#placeOfMaximum(index)));
  }

  setMaximum(index: number, maximum: number): void {
    writeHalf(this.#bytes, this.#placeOfMaximum(index), maximum);
  }

  #placeOfMaximum(index: number): number {
    return this.#first * Float32Array.BYTES_PER_ELEMENT + MAXIMA_BYTE + index * HALF_BYTES;
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

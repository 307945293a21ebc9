import { RecordView } from '../state/record-view.ts';

/** Places of what is remembered of the silence of a series, in floats. */
export const HOURS = 24;
export const WEEKDAYS = 7;
export const KEPT_MAXIMA = 16;

let length = 0;
const place = (floats: number) => (length += floats) - floats;
/** Events, and after them the hours in which they came. */
export const HOUR_SUMS = place(HOURS);
export const HOUR_TIMES = place(HOURS);
export const WEEKDAY_SUMS = place(2 * WEEKDAYS);
/** Largest gaps of the last blocks. */
const MAXIMA = place(KEPT_MAXIMA);
/** Events of the running minute, hour and day, and their known minutes. */
export const MINUTE_COUNT = place(1);
export const HAS_LATE = place(1);
export const HOUR_COUNT = place(1);
export const HOUR_KNOWN = place(1);
export const DAY_COUNT = place(1);
export const DAY_KNOWN = place(1);
/** Events a minute in the running hour. */
export const RATE = place(1);
export const FACTOR = place(1);
export const SEEN = place(1);
export const PREDICTED = place(1);
/** Since the last event. */
export const EXPECTED = place(1);
export const ELAPSED = place(1);
/** Minutes of these that are not known. */
export const ELAPSED_UNKNOWN = place(1);
/** Sums over gaps: of expected events, and of their squares. */
export const GAPS = place(1);
export const SQUARES = place(1);
export const STATUS = place(1);
/** When the silence was reported, and what was expected until then. */
export const REPORTED = place(1);
export const REPORTED_EXPECTED = place(1);
/** The last two blocks in which a silence was reported, by their numbers from 1 on; 0: none. */
export const REPORTED_BLOCK = place(1);
export const REPORTED_BLOCK_BEFORE = place(1);
export const BLOCKS = place(1);
export const BLOCK_MINUTES = place(1);
export const BLOCK_EVENTS = place(1);
export const BLOCK_MAXIMUM = place(1);
export const MEAN_BLOCK_MINUTES = place(1);
export const MEAN_BLOCK_EVENTS = place(1);
export const SILENCE_FLOATS = 2 * Math.ceil(length / 2);

/** All that is remembered of the silence of a series, by the places above: a view of its record. */
export class SilenceState extends RecordView {
  /** Makes a record of zeros that of a new series. */
  begin(): void {
    this.set(FACTOR, 1);
  }

  /** Returns the maxima of so many blocks. */
  maxima(count: number): number[] {
    return Array.from({ length: count }, (_, index) => this.at(MAXIMA + index));
  }

  setMaximum(index: number, maximum: number): void {
    this.set(MAXIMA + index, maximum);
  }

  at(place: number): number {
    return this.buffer.floats[this.first + place] as number; // the places above lie within
  }

  set(place: number, value: number): void {
    this.buffer.floats[this.first + place] = value;
  }

  add(place: number, more: number): void {
    this.set(place, this.at(place) + more);
  }

  /** Returns the value, which becomes zero. */
  take(place: number): number {
    const value = this.at(place);
    this.set(place, 0);
    return value;
  }
}

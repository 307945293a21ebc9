import type { StatePlace } from '../state/alarm-record.ts';
import { MAX_COUNT } from '../state/count.ts';
import { movePlace, type RecordViews } from '../state/record-memory.ts';
import type { SeriesLayout } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';

/** What a series is added to a group with. */
export interface NewSeries {
  weight: number;
  isErrorSeries: boolean;
  /** It may have existed before: then even errors do not count as having been silent. */
  mayBeOld: boolean;
  /** The part of its share that it has at this step; missing: all of it. */
  part?: number;
}

/** One series of a group as it is saved, and what has come of its step that runs. */
export interface SavedSeries {
  state: SeriesState;
  weight: number;
  /** Events of the step that runs. */
  count: number;
  /** Events of the step that runs which came too late to be evaluated. */
  lateCount: number;
  /** Whether it has counted since the last evaluation. */
  hasNewCounts: boolean;
  /** Whether it counts as silent until its first event: see `createErrorSeries`. */
  isErrorSeries: boolean;
  /** Whether a part of the step that runs was set aside: then its count is not known. */
  isPartial: boolean;
}

/** Where the fields lie in front of the state, in doubles, behind them in floats, and behind these in bytes. */
const COUNT = 0;
const WEIGHT = 1;
const DOUBLES = 2;
const LATE_COUNT = 0;
const UNEVENTFUL_COUNT = 1;
const FLOATS = 2;
const HAS_NEW_COUNTS = 0;
const IS_ERROR_SERIES = 1;
const IS_PARTIAL = 2;
/** In hundredths. */
const PART = 3;
/** The first byte of the state in a record: a multiple of eight. */
export const STATE_BYTE = 8 * DOUBLES + 4 * FLOATS + 8;

/** Of a record that holds a series of a group: a multiple of eight. */
export function trackedBytes({ bytesInMemory }: SeriesLayout): number {
  const doubles = Math.ceil((STATE_BYTE + bytesInMemory) / Float64Array.BYTES_PER_ELEMENT);
  return doubles * Float64Array.BYTES_PER_ELEMENT;
}

/** Adds events to the step that runs, as each event does: without a view. @returns whether they are the first since the last evaluation */
export function countEvents({ doubles, bytes }: RecordViews, start: number, events: number): boolean {
  const first = start / Float64Array.BYTES_PER_ELEMENT;
  doubles[first + COUNT] = Math.min(MAX_COUNT, (doubles[first + COUNT] as number) + events); // it lies within
  const flag = 8 * (first + DOUBLES) + 4 * FLOATS + HAS_NEW_COUNTS;
  const isFirst = bytes[flag] === 0;
  bytes[flag] = 1;
  return isFirst;
}

/** The same of whether it is an error series. */
export function isOfErrors({ bytes }: RecordViews, start: number): boolean {
  return bytes[start + 8 * DOUBLES + 4 * FLOATS + IS_ERROR_SERIES] === 1;
}

/**
 * One series of a group, in one record with its state: a view. As objects that are kept a series and its state would take
 * 180 bytes more, and a sparse one has four of them; as objects that are made where they are needed, half of all garbage.
 * So one view is moved from record to record where series are gone through.
 */
export class TrackedSeries implements SavedSeries {
  readonly #place: StatePlace;
  /** Where the fields begin: the first double. */
  #first: number;
  readonly state: SeriesState;

  /**
   * @param place of its own: that of the state in a record that holds it already, or is new
   * @param state of a new one
   */
  constructor(layout: SeriesLayout, place: StatePlace, state = new SeriesState(null, layout, place)) {
    this.#place = place;
    this.state = state;
    this.#first = (place.start - STATE_BYTE) / Float64Array.BYTES_PER_ELEMENT;
  }

  /** Makes it, and its state, a view of another record. @param start of the record */
  moveTo(views: RecordViews, start: number): void {
    movePlace(this.#place, views, start + STATE_BYTE);
    this.#first = start / Float64Array.BYTES_PER_ELEMENT;
    this.state.followPlace();
  }

  get weight(): number {
    return this.#get(WEIGHT);
  }
  set weight(weight: number) {
    this.#set(WEIGHT, weight);
  }
  /** The part of its share that it has at this step, in hundredths. */
  get part(): number {
    return this.#getByte(PART) / 100;
  }
  set part(part: number) {
    this.#setByte(PART, Math.round(100 * part));
  }
  get count(): number {
    return this.#get(COUNT);
  }
  set count(events: number) {
    this.#set(COUNT, events);
  }
  get lateCount(): number {
    return this.#getFloat(LATE_COUNT);
  }
  set lateCount(events: number) {
    this.#setFloat(LATE_COUNT, events);
  }
  /** Up to which count the step that runs stays as uneventful as it was found; −1: not known. */
  get uneventfulCount(): number {
    return this.#getFloat(UNEVENTFUL_COUNT);
  }
  set uneventfulCount(events: number) {
    this.#setFloat(UNEVENTFUL_COUNT, events);
  }
  get hasNewCounts(): boolean {
    return this.#getByte(HAS_NEW_COUNTS) === 1;
  }
  set hasNewCounts(hasNewCounts: boolean) {
    this.#setByte(HAS_NEW_COUNTS, hasNewCounts ? 1 : 0);
  }
  get isErrorSeries(): boolean {
    return this.#getByte(IS_ERROR_SERIES) === 1;
  }
  set isErrorSeries(isErrorSeries: boolean) {
    this.#setByte(IS_ERROR_SERIES, isErrorSeries ? 1 : 0);
  }
  get isPartial(): boolean {
    return this.#getByte(IS_PARTIAL) === 1;
  }
  set isPartial(isPartial: boolean) {
    this.#setByte(IS_PARTIAL, isPartial ? 1 : 0);
  }

  #get(field: number): number {
    return this.#place.doubles[this.#first + field] as number; // the fields above lie within
  }

  #set(field: number, value: number): void {
    this.#place.doubles[this.#first + field] = value;
  }

  get #firstFloat(): number {
    return 2 * (this.#first + DOUBLES);
  }

  #getFloat(field: number): number {
    return this.#place.floats[this.#firstFloat + field] as number;
  }

  #setFloat(field: number, value: number): void {
    this.#place.floats[this.#firstFloat + field] = value;
  }

  #getByte(field: number): number {
    return this.#place.bytes[4 * (this.#firstFloat + FLOATS) + field] as number;
  }

  #setByte(field: number, value: number): void {
    this.#place.bytes[4 * (this.#firstFloat + FLOATS) + field] = value;
  }
}

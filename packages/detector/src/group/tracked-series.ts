import type { RecordPlace } from '../state/record-memory.ts';
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

/** Where the fields lie behind the state, in doubles, and behind them in bytes. */
const COUNT = 0;
const LATE_COUNT = 1;
const WEIGHT = 2;
const PART = 3;
const UNEVENTFUL_COUNT = 4;
const DOUBLES = 5;
const HAS_NEW_COUNTS = 0;
const IS_ERROR_SERIES = 1;
const IS_PARTIAL = 2;
const FLAGS = 3;

/** The first double behind a state. */
function firstDouble({ bytesInMemory }: SeriesLayout): number {
  return Math.ceil(bytesInMemory / Float64Array.BYTES_PER_ELEMENT);
}

/** Of a record that holds a series of a group. */
export function trackedBytes(layout: SeriesLayout): number {
  return (firstDouble(layout) + DOUBLES) * Float64Array.BYTES_PER_ELEMENT + FLAGS;
}

/**
 * One series of a group, in one record with its state: a view, to be made where it is needed. As objects a series and its
 * state would take 180 bytes more, and a sparse one has four of them.
 */
export class TrackedSeries implements SavedSeries {
  readonly #layout: SeriesLayout;
  readonly #place: RecordPlace;
  readonly #double: number;
  readonly #flag: number;
  #state: SeriesState | null;

  /**
   * @param place of a record that holds it already, or is new
   * @param state of a new one, at the beginning of the place
   */
  constructor(layout: SeriesLayout, place: RecordPlace, state: SeriesState | null = null) {
    this.#layout = layout;
    this.#place = place;
    this.#state = state;
    this.#double = place.start / Float64Array.BYTES_PER_ELEMENT + firstDouble(layout);
    this.#flag = (this.#double + DOUBLES) * Float64Array.BYTES_PER_ELEMENT;
  }

  get state(): SeriesState {
    this.#state ??= new SeriesState(null, this.#layout, this.#place);
    return this.#state;
  }
  get weight(): number {
    return this.#get(WEIGHT);
  }
  set weight(weight: number) {
    this.#set(WEIGHT, weight);
  }
  /** The part of its share that it has at this step. */
  get part(): number {
    return this.#get(PART);
  }
  set part(part: number) {
    this.#set(PART, part);
  }
  get count(): number {
    return this.#get(COUNT);
  }
  set count(events: number) {
    this.#set(COUNT, events);
  }
  get lateCount(): number {
    return this.#get(LATE_COUNT);
  }
  set lateCount(events: number) {
    this.#set(LATE_COUNT, events);
  }
  /** Up to which count the step that runs stays as uneventful as it was found; −1: not known. */
  get uneventfulCount(): number {
    return this.#get(UNEVENTFUL_COUNT);
  }
  set uneventfulCount(events: number) {
    this.#set(UNEVENTFUL_COUNT, events);
  }
  get hasNewCounts(): boolean {
    return this.#is(HAS_NEW_COUNTS);
  }
  set hasNewCounts(hasNewCounts: boolean) {
    this.#mark(HAS_NEW_COUNTS, hasNewCounts);
  }
  get isErrorSeries(): boolean {
    return this.#is(IS_ERROR_SERIES);
  }
  set isErrorSeries(isErrorSeries: boolean) {
    this.#mark(IS_ERROR_SERIES, isErrorSeries);
  }
  get isPartial(): boolean {
    return this.#is(IS_PARTIAL);
  }
  set isPartial(isPartial: boolean) {
    this.#mark(IS_PARTIAL, isPartial);
  }

  #get(field: number): number {
    return this.#place.doubles[this.#double + field] as number; // the fields above lie within
  }

  #set(field: number, value: number): void {
    this.#place.doubles[this.#double + field] = value;
  }

  #is(flag: number): boolean {
    return this.#place.bytes[this.#flag + flag] === 1;
  }

  #mark(flag: number, isSet: boolean): void {
    this.#place.bytes[this.#flag + flag] = isSet ? 1 : 0;
  }
}

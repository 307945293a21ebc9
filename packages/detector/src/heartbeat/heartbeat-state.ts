import { movePlace, type RecordPlace, type RecordViews } from '../state/record-memory.ts';
import { createTracker, MERGED_MS, type Tracker } from './gap-tracker.ts';
import { HALF_HOURS, type QuietHours } from './quiet-hours.ts';
import { TRACKER_DOUBLES, TrackerState } from './tracker-state.ts';

/** What is saved of a sender: plain JSON but for the calendar of its quiet hours. */
export interface SavedHeartbeat {
  firstMs: number;
  /** Of its last event. */
  seenMs: number;
  clockMs: number;
  trackers: Tracker[];
  quietHours: { halfHours: Uint8Array; currentHalfHour: number; hasEvents: boolean; hadEvents: boolean };
  /** Index of the tracker whose heartbeat is overdue; -1 while none is. */
  overdue: number;
}

/** Where the fields lie, in doubles; */
const FIRST_MS = 0;
const SEEN_MS = 1;
const CLOCK_MS = 2;
/** in the place of one more, a whole number of 32 bits, and bytes; */
const SMALL = 3;
const HAS_EVENTS = 4;
const HAD_EVENTS = 5;
const PAUSED = 6;
/** One more than its index. */
const OVERDUE = 7;
/** and the trackers. */
const TRACKERS = 4;
/** Codes of half hours follow, four to a byte. */
const HALF_HOURS_BYTE = (TRACKERS + MERGED_MS.length * TRACKER_DOUBLES) * Float64Array.BYTES_PER_ELEMENT;
const CODES_PER_BYTE = 4;
const CODE_BITS = 2;
const CODE_MASK = 3;

export const HEARTBEAT_BYTES = HALF_HOURS_BYTE + HALF_HOURS / CODES_PER_BYTE;

/** All that is remembered of a sender, by name, in one record: as objects it would take four times as much. */
export class HeartbeatState implements QuietHours {
  readonly #place: RecordPlace;
  /** Where it begins, in doubles. */
  #first: number;
  readonly #trackers: readonly TrackerState[];

  /**
   * @param place of its own
   * @param timeMs of its first event, or all that was saved of it; null: the place holds it already
   */
  constructor(place: RecordPlace, timeMs: number | SavedHeartbeat | null) {
    this.#place = place;
    this.#first = place.start / Float64Array.BYTES_PER_ELEMENT;
    this.#trackers = MERGED_MS.map((_, index) => new TrackerState(place, this.#firstOf(index)));
    if (typeof timeMs === 'number') this.#create(timeMs);
    else if (timeMs) this.#load(timeMs);
  }

  /** Makes it a view of another record, which holds it. */
  moveTo(views: RecordViews, start: number): void {
    movePlace(this.#place, views, start);
    this.#first = start / Float64Array.BYTES_PER_ELEMENT;
    for (let index = 0; index < this.#trackers.length; index++)
      this.tracker(index).moveTo(views, this.#firstOf(index));
  }

  save(): SavedHeartbeat {
    const { firstMs, seenMs, clockMs, overdue, currentHalfHour, hasEvents, hadEvents } = this;
    const halfHours = new Uint8Array(HALF_HOURS);
    for (let index = 0; index < HALF_HOURS; index++) halfHours[index] = this.halfHour(index);
    return {
      firstMs,
      seenMs,
      clockMs,
      trackers: MERGED_MS.map((_, index) => this.tracker(index).toTracker()),
      quietHours: { halfHours, currentHalfHour, hasEvents, hadEvents },
      overdue,
    };
  }

  get firstMs(): number {
    return this.#get(FIRST_MS);
  }
  get seenMs(): number {
    return this.#get(SEEN_MS);
  }
  set seenMs(timeMs: number) {
    this.#set(SEEN_MS, timeMs);
  }
  get clockMs(): number {
    return this.#get(CLOCK_MS);
  }
  set clockMs(timeMs: number) {
    this.#set(CLOCK_MS, timeMs);
  }
  /** Index of the tracker whose heartbeat is overdue; -1 while none is. */
  get overdue(): number {
    return this.#getByte(OVERDUE) - 1;
  }
  set overdue(index: number) {
    this.#setByte(OVERDUE, index + 1);
  }

  /** By the index of `MERGED_MS`. */
  tracker(index: number): TrackerState {
    return this.#trackers[index] as TrackerState; // there is one for each
  }

  #firstOf(tracker: number): number {
    return this.#first + TRACKERS + tracker * TRACKER_DOUBLES;
  }

  /** By bit, the trackers that paused when the clock was advanced last; not saved. */
  get paused(): number {
    return this.#getByte(PAUSED);
  }
  set paused(trackers: number) {
    this.#setByte(PAUSED, trackers);
  }

  get currentHalfHour(): number {
    return this.#place.integers[2 * (this.#first + SMALL)] as number; // it lies within
  }
  set currentHalfHour(halfHour: number) {
    this.#place.integers[2 * (this.#first + SMALL)] = halfHour;
  }
  get hasEvents(): boolean {
    return this.#getByte(HAS_EVENTS) === 1;
  }
  set hasEvents(hasEvents: boolean) {
    this.#setByte(HAS_EVENTS, hasEvents ? 1 : 0);
  }
  get hadEvents(): boolean {
    return this.#getByte(HAD_EVENTS) === 1;
  }
  set hadEvents(hadEvents: boolean) {
    this.#setByte(HAD_EVENTS, hadEvents ? 1 : 0);
  }

  halfHour(index: number): number {
    const byte = this.#place.bytes[this.#byteOf(index)] as number; // the index is below HALF_HOURS
    return (byte >> (CODE_BITS * (index % CODES_PER_BYTE))) & CODE_MASK;
  }
  setHalfHour(index: number, code: number): void {
    const at = this.#byteOf(index);
    const shift = CODE_BITS * (index % CODES_PER_BYTE);
    const others = (this.#place.bytes[at] as number) & ~(CODE_MASK << shift);
    this.#place.bytes[at] = others | (code << shift);
  }

  #byteOf(halfHour: number): number {
    return this.#place.start + HALF_HOURS_BYTE + Math.floor(halfHour / CODES_PER_BYTE);
  }

  #create(timeMs: number): void {
    this.#set(FIRST_MS, timeMs);
    this.seenMs = timeMs;
    this.clockMs = timeMs;
    this.overdue = -1;
    MERGED_MS.forEach((_, index) => this.tracker(index).assign(createTracker()));
  }

  #load({ firstMs, seenMs, clockMs, overdue, trackers, quietHours }: SavedHeartbeat): void {
    this.#set(FIRST_MS, firstMs);
    this.seenMs = seenMs;
    this.clockMs = clockMs;
    this.overdue = overdue;
    trackers.forEach((tracker, index) => this.tracker(index).assign(tracker));
    const { halfHours, currentHalfHour, hasEvents, hadEvents } = quietHours;
    this.currentHalfHour = currentHalfHour;
    this.hasEvents = hasEvents;
    this.hadEvents = hadEvents;
    halfHours.forEach((code, index) => this.setHalfHour(index, code));
  }

  #get(field: number): number {
    return this.#place.doubles[this.#first + field] as number; // the fields above lie within
  }

  #set(field: number, value: number): void {
    this.#place.doubles[this.#first + field] = value;
  }

  /** @param field of those that share the place of a double */
  #getByte(field: number): number {
    return this.#place.bytes[8 * (this.#first + SMALL) + field] as number; // the fields above lie within
  }

  #setByte(field: number, value: number): void {
    this.#place.bytes[8 * (this.#first + SMALL) + field] = value;
  }
}

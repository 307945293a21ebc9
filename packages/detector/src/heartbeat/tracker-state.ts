import type { RecordViews } from '../state/record-memory.ts';
import type { Tracker } from './gap-tracker.ts';
import type { HeartbeatCounts } from './heartbeat-counts.ts';

/** Where the fields of a tracker lie, in doubles: times and, as regular gaps differ in the last digits alone, their means. */
const HEARTBEAT_MS = 0;
const LAST_MS = 1;
/** NaN: missing. */
const ALIVE_MS = 2;
const MEAN = 3;
const LOG_MEAN = 4;
const DOUBLES = 5;
/** Behind them, in floats. NaN: missing. */
const GAPS = 0;
const EXPECTED = 1;
const COUNTS = 2;
/** Within the counts, which are missing where the heartbeats that are over are. */
const RUNNING = 0;
const HEARTBEATS = 1;
const COUNT_MEAN = 2;
const VARIANCE = 3;
const FLOATS = COUNTS + 4;

const FLOATS_PER_DOUBLE = 2;
export const TRACKER_DOUBLES = DOUBLES + FLOATS / FLOATS_PER_DOUBLE;

type TrackerViews = Pick<RecordViews, 'doubles' | 'floats'>;

/** The tracker that lies from a double on: a view. */
export class TrackerState implements Tracker {
  #doubles: Float64Array;
  #floats: Float32Array;
  #first: number;
  readonly #counts: CountsState;

  constructor({ doubles, floats }: TrackerViews, first: number) {
    this.#doubles = doubles;
    this.#floats = floats;
    this.#first = first;
    this.#counts = new CountsState(floats, this.#firstFloat + COUNTS);
  }

  /** Makes it a view of another one. */
  moveTo({ doubles, floats }: TrackerViews, first: number): void {
    this.#first = first;
    // Most in turn lie in one buffer.
    if (this.#doubles !== doubles) {
      this.#doubles = doubles;
      this.#floats = floats;
    }
    this.#counts.moveTo(floats, this.#firstFloat + COUNTS);
  }

  /** Sets all of it. */
  assign({ heartbeatMs, lastMs, aliveMs, gaps, mean, logMean, counts, expected }: Tracker): void {
    this.heartbeatMs = heartbeatMs;
    this.lastMs = lastMs;
    this.aliveMs = aliveMs;
    this.gaps = gaps;
    this.mean = mean;
    this.logMean = logMean;
    this.counts = counts;
    this.expected = expected;
  }

  toTracker(): Tracker {
    const { heartbeatMs, lastMs, aliveMs, gaps, mean, logMean, counts, expected } = this;
    return {
      heartbeatMs,
      lastMs,
      gaps,
      mean,
      logMean,
      ...(expected !== undefined && { expected }),
      ...(counts && { counts: counts.toCounts() }),
      ...(aliveMs !== undefined && { aliveMs }),
    };
  }

  get heartbeatMs(): number {
    return this.#get(HEARTBEAT_MS);
  }
  set heartbeatMs(timeMs: number) {
    this.#set(HEARTBEAT_MS, timeMs);
  }
  get lastMs(): number {
    return this.#get(LAST_MS);
  }
  set lastMs(timeMs: number) {
    this.#set(LAST_MS, timeMs);
  }
  get aliveMs(): number | undefined {
    return known(this.#get(ALIVE_MS));
  }
  set aliveMs(timeMs: number | undefined) {
    this.#set(ALIVE_MS, timeMs ?? Number.NaN);
  }
  get gaps(): number {
    return this.#getFloat(GAPS);
  }
  set gaps(gaps: number) {
    this.#setFloat(GAPS, gaps);
  }
  get mean(): number {
    return this.#get(MEAN);
  }
  set mean(minutes: number) {
    this.#set(MEAN, minutes);
  }
  get logMean(): number {
    return this.#get(LOG_MEAN);
  }
  set logMean(log: number) {
    this.#set(LOG_MEAN, log);
  }
  get expected(): number | undefined {
    return known(this.#getFloat(EXPECTED));
  }
  set expected(events: number | undefined) {
    this.#setFloat(EXPECTED, events ?? Number.NaN);
  }
  get counts(): CountsState | undefined {
    if (Number.isNaN(this.#getFloat(COUNTS + HEARTBEATS))) return undefined;
    return this.#counts;
  }
  set counts(counts: HeartbeatCounts | undefined) {
    const missing = { running: Number.NaN, heartbeats: Number.NaN, mean: Number.NaN, variance: Number.NaN };
    this.#counts.assign(counts ?? missing);
  }

  #get(field: number): number {
    return this.#doubles[this.#first + field] as number; // the fields above lie within
  }

  #set(field: number, value: number): void {
    this.#doubles[this.#first + field] = value;
  }

  get #firstFloat(): number {
    return FLOATS_PER_DOUBLE * (this.#first + DOUBLES);
  }

  #getFloat(field: number): number {
    return this.#floats[this.#firstFloat + field] as number; // the fields above lie within
  }

  #setFloat(field: number, value: number): void {
    this.#floats[this.#firstFloat + field] = value;
  }
}

/** The counts that lie from a float on. */
class CountsState implements HeartbeatCounts {
  #floats: Float32Array;
  #first: number;

  constructor(floats: Float32Array, first: number) {
    this.#floats = floats;
    this.#first = first;
  }

  moveTo(floats: Float32Array, first: number): void {
    this.#first = first;
    if (this.#floats !== floats) this.#floats = floats;
  }

  assign({ running, heartbeats, mean, variance }: HeartbeatCounts): void {
    this.running = running;
    this.heartbeats = heartbeats;
    this.mean = mean;
    this.variance = variance;
  }

  toCounts(): HeartbeatCounts {
    const { running, heartbeats, mean, variance } = this;
    return { running, heartbeats, mean, variance };
  }

  get running(): number {
    return this.#get(RUNNING);
  }
  set running(events: number) {
    this.#set(RUNNING, events);
  }
  get heartbeats(): number {
    return this.#get(HEARTBEATS);
  }
  set heartbeats(heartbeats: number) {
    this.#set(HEARTBEATS, heartbeats);
  }
  get mean(): number {
    return this.#get(COUNT_MEAN);
  }
  set mean(events: number) {
    this.#set(COUNT_MEAN, events);
  }
  get variance(): number {
    return this.#get(VARIANCE);
  }
  set variance(variance: number) {
    this.#set(VARIANCE, variance);
  }

  #get(field: number): number {
    return this.#floats[this.#first + field] as number; // the fields above lie within
  }

  #set(field: number, value: number): void {
    this.#floats[this.#first + field] = value;
  }
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

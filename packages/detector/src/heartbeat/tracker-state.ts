import type { Tracker } from './gap-tracker.ts';
import type { HeartbeatCounts } from './heartbeat-counts.ts';

/** Where the fields of a tracker lie, in doubles; NaN: missing. */
const HEARTBEAT_MS = 0;
const LAST_MS = 1;
const ALIVE_MS = 2;
const GAPS = 3;
const MEAN = 4;
const LOG_MEAN = 5;
const EXPECTED = 6;
const COUNTS = 7;
/** Within the counts, which are missing where the heartbeats that are over are. */
const RUNNING = 0;
const HEARTBEATS = 1;
const COUNT_MEAN = 2;
const VARIANCE = 3;

export const TRACKER_DOUBLES = COUNTS + 4;

/** The tracker that lies from an offset on: a view, to be made where it is needed. */
export class TrackerState implements Tracker {
  readonly #doubles: Float64Array;
  readonly #first: number;

  constructor(doubles: Float64Array, first: number) {
    this.#doubles = doubles;
    this.#first = first;
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
    return this.#get(GAPS);
  }
  set gaps(gaps: number) {
    this.#set(GAPS, gaps);
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
    return known(this.#get(EXPECTED));
  }
  set expected(events: number | undefined) {
    this.#set(EXPECTED, events ?? Number.NaN);
  }
  get counts(): CountsState | undefined {
    if (Number.isNaN(this.#get(COUNTS + HEARTBEATS))) return undefined;
    return new CountsState(this.#doubles, this.#first + COUNTS);
  }
  set counts(counts: HeartbeatCounts | undefined) {
    const missing = { running: Number.NaN, heartbeats: Number.NaN, mean: Number.NaN, variance: Number.NaN };
    new CountsState(this.#doubles, this.#first + COUNTS).assign(counts ?? missing);
  }

  #get(field: number): number {
    return this.#doubles[this.#first + field] as number; // the fields above lie within
  }

  #set(field: number, value: number): void {
    this.#doubles[this.#first + field] = value;
  }
}

/** The counts that lie from an offset on. */
class CountsState implements HeartbeatCounts {
  readonly #doubles: Float64Array;
  readonly #first: number;

  constructor(doubles: Float64Array, first: number) {
    this.#doubles = doubles;
    this.#first = first;
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
    return this.#doubles[this.#first + field] as number; // the fields above lie within
  }

  #set(field: number, value: number): void {
    this.#doubles[this.#first + field] = value;
  }
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

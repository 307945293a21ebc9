import { MINUTE_MS, WEEK_MS } from '../state/durations.ts';
import { defineView, type RecordPlace } from '../state/record-view.ts';

export const HALF_HOUR_MS = 30 * MINUTE_MS;

/**
 * Times within which events are one heartbeat, by tracker: three of them serve senders of batches. A regular sender, however
 * rare, is watched by the gaps between its heartbeats.
 */
export const MERGED_MS = [2_000, MINUTE_MS, HALF_HOUR_MS] as const;
/** Number of half hours of a week. */
export const HALF_HOURS = WEEK_MS / HALF_HOUR_MS;

const HeartbeatHead = defineView({
  firstMs: 'double',
  /** Time of its last event. */
  seenMs: 'double',
  clockMs: 'double',
  /** Number of the running half hour since 1970; 0 before the first. */
  currentHalfHour: 'float',
  /** Half hours in which the last two reported gaps ended; 0: none. */
  reportedHalfHour: 'float',
  reportedHalfHourBefore: 'float',
  /** Bits of the trackers that paused when the clock was advanced last; 0 in a saved heartbeat. */
  paused: 'float',
  /** True if events came in the running half hour, and in the one before. */
  hasEvents: 'flag',
  hadEvents: 'flag',
  isOverdue: 'flag',
  /** True if it was overdue in the running gap. */
  isGapReported: 'flag',
});

const TrackerView = defineView({
  /** Beginning of the last heartbeat, and its latest event; both moved on by quiet hours. */
  heartbeatMs: 'double',
  lastMs: 'double',
  /** Last late event, moved on likewise; 0: there was none. */
  aliveMs: 'double',
  /** Means of the gaps (minutes) and of their logarithms in 64 bits: regular gaps differ in the last digits alone. */
  mean: 'double',
  logMean: 'double',
  gaps: 'float',
  /** Expected events since the latest event, by its rate and the time of day. */
  expected: 'float',
  /** Events of the running heartbeat: further ones may be merged into it. */
  running: 'float',
  /** Heartbeats that are over, and the discounted mean and variance of their events. */
  heartbeats: 'float',
  meanCount: 'float',
  countVariance: 'float',
});
/** Gaps of a sender between heartbeats of one size. */
export type Tracker = InstanceType<typeof TrackerView>;

/** Codes of half hours behind the trackers, a byte each. */
const HALF_HOURS_FLOAT = HeartbeatHead.floats + MERGED_MS.length * TrackerView.floats;
export const HEARTBEAT_FLOATS = HALF_HOURS_FLOAT + HALF_HOURS / Float32Array.BYTES_PER_ELEMENT;

/** State of a sender, by name: a view of its record. */
export class HeartbeatState extends HeartbeatHead {
  readonly #trackers: readonly Tracker[];

  constructor({ buffer, first }: RecordPlace) {
    super(buffer, first);
    this.#trackers = MERGED_MS.map(() => new TrackerView(buffer));
  }

  /** Makes a record of zeros that of a sender. @param timeMs time of its first event */
  begin(timeMs: number): this {
    this.firstMs = timeMs;
    this.seenMs = timeMs;
    this.clockMs = timeMs;
    return this;
  }

  /** Returns a tracker by the index of `MERGED_MS`. */
  tracker(index: number): Tracker {
    const tracker = this.#trackers[index] as Tracker; // there is one for each
    tracker.first = this.first + HeartbeatHead.floats + index * TrackerView.floats;
    return tracker;
  }

  /** Returns the code of a half hour of the week: see `quiet-hours.ts`. */
  halfHour(index: number): number {
    return this.buffer.bytes[4 * (this.first + HALF_HOURS_FLOAT) + index] as number; // it is below HALF_HOURS
  }
  setHalfHour(index: number, code: number): void {
    this.buffer.bytes[4 * (this.first + HALF_HOURS_FLOAT) + index] = code;
  }
}

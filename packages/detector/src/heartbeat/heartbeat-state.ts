import { defineView, type RecordPlace } from '../state/record-view.ts';
import { MERGED_MS, type Tracker } from './gap-tracker.ts';
import { HALF_HOURS, type QuietHours } from './quiet-hours.ts';

const HeartbeatHead = defineView({
  firstMs: 'double',
  /** Time of its last event. */
  seenMs: 'double',
  clockMs: 'double',
  currentHalfHour: 'float',
  /** Half hours in which the last two reported gaps ended; 0: none. */
  reportedHalfHour: 'float',
  reportedHalfHourBefore: 'float',
  /** One more than the index of the tracker whose heartbeat is overdue. */
  overdueTracker: 'float',
  /** Trackers by bit that paused when the clock was advanced last; not known of a saved heartbeat. */
  paused: 'float',
  hasEvents: 'flag',
  hadEvents: 'flag',
  /** True if a heartbeat was overdue in the gap that runs. */
  isGapReported: 'flag',
});

/** Times and, as regular gaps differ in the last digits alone, their means have 64 bits. */
const TrackerHead = defineView({
  heartbeatMs: 'double',
  lastMs: 'double',
  aliveMs: 'double',
  mean: 'double',
  logMean: 'double',
  gaps: 'float',
  expected: 'float',
});
const CountsView = defineView({ running: 'float', heartbeats: 'float', mean: 'float', variance: 'float' });

class TrackerView extends TrackerHead implements Tracker {
  readonly counts = new CountsView(this.buffer);

  moveTo(first: number): this {
    this.first = first;
    this.counts.first = first + TrackerHead.floats;
    return this;
  }
}

const TRACKER_FLOATS = TrackerHead.floats + CountsView.floats;
/** Codes of half hours behind the trackers, a byte each. */
const HALF_HOURS_FLOAT = HeartbeatHead.floats + MERGED_MS.length * TRACKER_FLOATS;
export const HEARTBEAT_FLOATS = HALF_HOURS_FLOAT + HALF_HOURS / Float32Array.BYTES_PER_ELEMENT;

/** All that is remembered of a sender, by name: a view of its record. */
export class HeartbeatState extends HeartbeatHead implements QuietHours {
  readonly #trackers: readonly TrackerView[];

  constructor({ buffer, first }: RecordPlace) {
    super(buffer, first);
    this.#trackers = MERGED_MS.map(() => new TrackerView(buffer));
  }

  /** Makes a record of zeros that of a sender. @param timeMs of its first event */
  begin(timeMs: number): this {
    this.firstMs = timeMs;
    this.seenMs = timeMs;
    this.clockMs = timeMs;
    return this;
  }

  /** Index of the tracker whose heartbeat is overdue; -1 while none is. */
  get overdue(): number {
    return this.overdueTracker - 1;
  }
  set overdue(index: number) {
    this.overdueTracker = index + 1;
  }

  /** Returns a tracker by the index of `MERGED_MS`. */
  tracker(index: number): Tracker {
    const tracker = this.#trackers[index] as TrackerView; // there is one for each
    return tracker.moveTo(this.first + HeartbeatHead.floats + index * TRACKER_FLOATS);
  }

  halfHour(index: number): number {
    return this.buffer.bytes[4 * (this.first + HALF_HOURS_FLOAT) + index] as number; // it is below HALF_HOURS
  }
  setHalfHour(index: number, code: number): void {
    this.buffer.bytes[4 * (this.first + HALF_HOURS_FLOAT) + index] = code;
  }
}

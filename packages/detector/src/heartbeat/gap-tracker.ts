import { MINUTE_MS } from '../state/durations.ts';
import { learnHeartbeat } from './heartbeat-counts.ts';
import { MERGED_MS, type Tracker } from './heartbeat-state.ts';

export const KEPT_GAPS = 32;
export const MIN_GAPS = 5;
/** Minimum ratio of the mean gap to the merged time: merging alone makes shorter gaps of random events look regular. */
const MIN_MERGED_GAPS = 4;
/** Maximum ratio of a learned gap to the mean: a longer one is an outage or a quiet hour. */
const MAX_LEARNED_GAP = 10;
/** The same where late events came within the gap: events on time may have been among them. */
const MAX_LEARNED_LATE_GAP = 2;

export interface HeartbeatEvents {
  timeMs: number;
  events: number;
  /** True if the gap before them was reported, and is not learned. */
  endsUnlearnedGap: boolean;
}

export function trackEvents(
  tracker: Tracker,
  mergedMs: number,
  { timeMs, events, endsUnlearnedGap }: HeartbeatEvents,
): void {
  tracker.expected = 0;
  if (tracker.lastMs > 0 && timeMs - tracker.lastMs < mergedMs) {
    tracker.lastMs = Math.max(tracker.lastMs, timeMs);
    tracker.running += events;
    return;
  }
  if (tracker.lastMs > 0) learnHeartbeat(tracker, KEPT_GAPS);
  tracker.running = events;
  const gap = (timeMs - tracker.heartbeatMs) / MINUTE_MS;
  const longest = tracker.aliveMs > tracker.heartbeatMs ? MAX_LEARNED_LATE_GAP : MAX_LEARNED_GAP;
  const isOutage = tracker.gaps >= MIN_GAPS && gap > longest * tracker.mean;
  if (tracker.heartbeatMs > 0 && gap > 0 && !isOutage && !endsUnlearnedGap) {
    tracker.gaps++;
    const part = 1 / Math.min(tracker.gaps, KEPT_GAPS);
    tracker.mean += (gap - tracker.mean) * part;
    tracker.logMean += (Math.log(gap) - tracker.logMean) * part;
  }
  tracker.heartbeatMs = timeMs;
  tracker.lastMs = timeMs;
}

/** Moves the times of a tracker on by a pause in which nothing was expected. */
export function pauseTracker(tracker: Tracker, timeMs: number, passedMs: number): void {
  tracker.heartbeatMs = Math.min(timeMs, tracker.heartbeatMs + passedMs);
  tracker.lastMs = Math.min(timeMs, tracker.lastMs + passedMs);
  if (tracker.aliveMs > 0) tracker.aliveMs = Math.min(timeMs, tracker.aliveMs + passedMs);
}

/** True if the gaps are long enough for the merged time of the tracker. */
export function isTracked({ heartbeatMs, mean }: Tracker, index: number): boolean {
  return heartbeatMs > 0 && mean * MINUTE_MS >= MIN_MERGED_GAPS * (MERGED_MS[index] ?? 0);
}

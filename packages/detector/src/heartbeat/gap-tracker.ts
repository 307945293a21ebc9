import { MINUTE_MS } from '../state/durations.ts';
import { learnHeartbeat } from './heartbeat-counts.ts';
import { MERGED_MS, type Tracker } from './heartbeat-state.ts';

export const KEPT_GAPS = 32;
export const MIN_GAPS = 5;
/** Merging alone makes the gaps of random events look regular, unless they are so many times what it merges. */
const MIN_MERGED_GAPS = 4;
/** A gap so many times the mean is an outage or a quiet hour, and is not learned. */
const MAX_LEARNED_GAP = 10;
/** The same where late events came within it: those on time may have been among them. */
const MAX_LEARNED_LATE_GAP = 2;

export interface HeartbeatEvents {
  timeMs: number;
  events: number;
  /** True if the gap before them teaches nothing: it was reported. */
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

/** Moves what is remembered on by a time in which nothing was to come. */
export function pauseTracker(tracker: Tracker, timeMs: number, passedMs: number): void {
  tracker.heartbeatMs = Math.min(timeMs, tracker.heartbeatMs + passedMs);
  tracker.lastMs = Math.min(timeMs, tracker.lastMs + passedMs);
  if (tracker.aliveMs > 0) tracker.aliveMs = Math.min(timeMs, tracker.aliveMs + passedMs);
}

/** True if the gaps are long enough for what the tracker merges. */
export function isTracked({ heartbeatMs, mean }: Tracker, index: number): boolean {
  return heartbeatMs > 0 && mean * MINUTE_MS >= MIN_MERGED_GAPS * (MERGED_MS[index] ?? 0);
}

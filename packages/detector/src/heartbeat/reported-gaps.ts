import { MINUTE_MS, WEEK_MS } from '../state/durations.ts';
import { KEPT_GAPS } from './gap-tracker.ts';
import { HALF_HOUR_MS, type HeartbeatState, MERGED_MS } from './heartbeat-state.ts';

/** Age up to which two reported gaps make a third one usual, or that of the kept gaps where it is more. */
const USUAL_MS = 4 * WEEK_MS;

/**
 * True if a gap in which a heartbeat is overdue is learned: its length, and the time at which the sender is silent. In its first
 * week a sender shows its nights and its weekend for the first time; later such a gap is an outage, until it is usual: the third.
 */
export function learnsOutage(heartbeat: HeartbeatState): boolean {
  if (beganInFirstWeek(heartbeat)) return true;
  const { currentHalfHour, reportedHalfHourBefore } = heartbeat;
  if (reportedHalfHourBefore === 0) return false;
  const { mean } = heartbeat.tracker(MERGED_MS.length - 1);
  const passedMs = HALF_HOUR_MS * (currentHalfHour - reportedHalfHourBefore);
  return passedMs <= Math.max(USUAL_MS, KEPT_GAPS * mean * MINUTE_MS);
}

/** Counts the running gap, which an event ends, if it was reported. */
export function endReportedGap(heartbeat: HeartbeatState): void {
  if (!heartbeat.isGapReported) return;
  heartbeat.isGapReported = false;
  if (beganInFirstWeek(heartbeat)) return;
  heartbeat.reportedHalfHourBefore = heartbeat.reportedHalfHour;
  heartbeat.reportedHalfHour = heartbeat.currentHalfHour;
}

function beganInFirstWeek({ firstMs, seenMs }: HeartbeatState): boolean {
  return seenMs - firstMs < WEEK_MS;
}

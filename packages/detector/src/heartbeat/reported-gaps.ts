import { DAY_MS } from '../state/durations.ts';
import { KEPT_GAPS } from './gap-tracker.ts';
import { type HeartbeatState, MERGED_MS } from './heartbeat-state.ts';

const WEEK_MS = 7 * DAY_MS;
const HALF_HOUR_MINUTES = 30;
/** Two reported gaps make a third one usual if they are this recent, or as recent as the gaps that are kept. */
const USUAL_MINUTES = 4 * 7 * 1_440;

/**
 * True if a gap in which a heartbeat is overdue teaches how long gaps are, and when the sender is silent. In its first week
 * a sender shows its nights and its weekend for the first time; later such a gap is an outage, until it is usual: the third.
 */
export function learnsOutage(heartbeat: HeartbeatState): boolean {
  if (beganInFirstWeek(heartbeat)) return true;
  const { currentHalfHour, reportedHalfHourBefore } = heartbeat;
  if (reportedHalfHourBefore === 0) return false;
  const { mean } = heartbeat.tracker(MERGED_MS.length - 1);
  const minutes = HALF_HOUR_MINUTES * (currentHalfHour - reportedHalfHourBefore);
  return minutes <= Math.max(USUAL_MINUTES, KEPT_GAPS * mean);
}

/** Counts the gap that runs if it was reported: an event ends it. */
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

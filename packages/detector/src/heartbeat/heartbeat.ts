import { MINUTE_MS } from '../state/durations.ts';
import { evidencePerEvent, mayBeEmpty, type Norm, timeOfEvidence, usualRate } from './empty-heartbeats.ts';
import { isTracked, pauseTracker, trackEvents } from './gap-tracker.ts';
import { HALF_HOUR_MS, type HeartbeatState, MERGED_MS, type Tracker } from './heartbeat-state.ts';
import { isRegular, longestNormalSilence } from './normal-silence.ts';
import { advanceTo, isQuietHour, keepHalfHour } from './quiet-hours.ts';
import { endReportedGap, learnsOutage } from './reported-gaps.ts';

export interface OverdueHeartbeat {
  kind: 'overdue';
  /** Usual minutes between two heartbeats, and those since the last one. */
  usualMinutes: number;
  elapsedMinutes: number;
  /** Minutes since its last event, and since the next heartbeat was due. */
  seenMinutesAgo: number;
  dueMinutesAgo: number;
}
export type HeartbeatChange = OverdueHeartbeat | { kind: 'returned' };

/** Records events of one time, which end a silence that was reported. */
export function recordEvent(
  heartbeat: HeartbeatState,
  timeMs: number,
  events: number,
): HeartbeatChange | null {
  advanceTo(heartbeat, timeMs);
  heartbeat.hasEvents = true;
  const endsUnlearnedGap = heartbeat.isGapReported && !learnsOutage(heartbeat);
  const event = { timeMs, events, endsUnlearnedGap };
  MERGED_MS.forEach((mergedMs, index) => trackEvents(heartbeat.tracker(index), mergedMs, event));
  endReportedGap(heartbeat);
  heartbeat.seenMs = timeMs;
  return endSilence(heartbeat);
}

/**
 * Records that the sender is alive, by an event that came late. It begins no heartbeat and no gap, so an import leaves
 * what was learned as it was; only the time until a heartbeat is overdue starts over.
 */
export function recordLateEvent(heartbeat: HeartbeatState, timeMs: number): HeartbeatChange | null {
  advanceTo(heartbeat, timeMs);
  // Late events may be of any hour.
  keepHalfHour(heartbeat);
  heartbeat.seenMs = timeMs;
  MERGED_MS.forEach((_, index) => {
    const tracker = heartbeat.tracker(index);
    tracker.aliveMs = timeMs;
    tracker.expected = 0;
  });
  return endSilence(heartbeat);
}

function endSilence(heartbeat: HeartbeatState): HeartbeatChange | null {
  if (!heartbeat.isOverdue) return null;
  heartbeat.isOverdue = false;
  return { kind: 'returned' };
}

/** Time up to which a heartbeat is advanced. */
export interface Advance {
  timeMs: number;
  /** False where the service was down: then the clock stands still. */
  isKnown: boolean;
}

/** Advances the clock, and finds the first heartbeat that is overdue. */
export function advanceHeartbeat(
  heartbeat: HeartbeatState,
  { timeMs, isKnown }: Advance,
  norm: Norm,
): HeartbeatChange | null {
  const passedMs = Math.max(0, timeMs - heartbeat.clockMs);
  heartbeat.clockMs = Math.max(timeMs, heartbeat.clockMs);
  advanceTo(heartbeat, timeMs);
  if (!isKnown) heartbeat.hasEvents = true;
  const ageMinutes = (timeMs - heartbeat.firstMs) / MINUTE_MS;
  let isLate = heartbeat.isOverdue;
  let change: HeartbeatChange | null = null;
  heartbeat.paused = 0;
  for (let index = 0; index < MERGED_MS.length; index++) {
    const tracker = heartbeat.tracker(index);
    if (tracker.heartbeatMs === 0) continue;
    if (!isKnown || isPaused(heartbeat, tracker)) {
      heartbeat.paused |= 1 << index;
      pauseTracker(tracker, timeMs, passedMs);
      continue;
    }
    if (heartbeat.isOverdue || !isTracked(tracker, index)) continue;
    const elapsedMinutes = (timeMs - Math.max(tracker.lastMs, tracker.aliveMs)) / MINUTE_MS;
    const evidence = evidencePerEvent(tracker);
    // Every limit is longer than a mean gap: in most minutes it is not computed.
    if (evidence === null && elapsedMinutes <= tracker.mean) continue;
    const limit = longestNormalSilence(tracker, ageMinutes, norm.budgetPerWeek);
    if (limit === null) continue;
    if (elapsedMinutes > tracker.mean) isLate = true;
    if (evidence !== null) {
      const passedMinutes = Math.min(elapsedMinutes, passedMs / MINUTE_MS);
      tracker.expected += passedMinutes * usualRate(tracker, norm, timeMs);
    }
    if (elapsedMinutes <= limit) continue;
    if (evidence !== null && mayBeEmpty(tracker, { elapsedMinutes, evidence }, norm.budgetPerWeek)) continue;
    heartbeat.isOverdue = true;
    heartbeat.isGapReported = true;
    change = {
      kind: 'overdue',
      usualMinutes: tracker.mean,
      elapsedMinutes,
      seenMinutesAgo: (timeMs - heartbeat.seenMs) / MINUTE_MS,
      // A mean gap after the last heartbeat; quiet hours do not count.
      dueMinutesAgo: (timeMs - Math.max(tracker.heartbeatMs, tracker.aliveMs)) / MINUTE_MS - tracker.mean,
    };
  }
  if (isLate && !learnsOutage(heartbeat)) keepHalfHour(heartbeat);
  return change;
}

/** True if the sender is usually silent at this time of the week. */
function isPaused(heartbeat: HeartbeatState, { gaps, mean }: Tracker): boolean {
  const reach = Math.ceil((1.5 * mean * MINUTE_MS) / HALF_HOUR_MS) - 1;
  return gaps > 0 && isQuietHour(heartbeat, Math.max(0, reach));
}

/**
 * Returns until when nothing but the present pauses, which last to the end of the half hour, can happen if nothing comes: no
 * heartbeat is overdue, and no event of one expected. Times before need not be evaluated: see `passQuietTime`.
 */
export function quietUntil(heartbeat: HeartbeatState, timeMs: number): number {
  let untilMs = (Math.floor(timeMs / HALF_HOUR_MS) + 1) * HALF_HOUR_MS;
  if (heartbeat.isOverdue) return untilMs;
  for (let index = 0; index < MERGED_MS.length; index++) {
    const tracker = heartbeat.tracker(index);
    if ((heartbeat.paused >> index) & 1 || !isTracked(tracker, index) || !isRegular(tracker)) continue;
    if (evidencePerEvent(tracker) !== null) return timeMs;
    untilMs = Math.min(untilMs, Math.max(tracker.lastMs, tracker.aliveMs) + tracker.mean * MINUTE_MS);
  }
  return untilMs;
}

/** Advances the clock, last advanced at a known time, to one that is quiet by `quietUntil`. */
export function passQuietTime(heartbeat: HeartbeatState, timeMs: number): void {
  const passedMs = timeMs - heartbeat.clockMs;
  if (passedMs <= 0) return;
  heartbeat.clockMs = timeMs;
  const { paused } = heartbeat;
  for (let index = 0; index < MERGED_MS.length && paused !== 0; index++) {
    if ((paused >> index) & 1) pauseTracker(heartbeat.tracker(index), timeMs, passedMs);
  }
}

/** Returns when the next event of a regular sender is overdue; null for a sender that is not known to be regular. */
export function nextDue(
  heartbeat: HeartbeatState,
  norm: Norm,
): { usualMinutes: number; dueMs: number } | null {
  const ageMinutes = (heartbeat.clockMs - heartbeat.firstMs) / MINUTE_MS;
  let next: { usualMinutes: number; dueMs: number } | null = null;
  for (let index = 0; index < MERGED_MS.length; index++) {
    const tracker = heartbeat.tracker(index);
    if (!isTracked(tracker, index)) continue;
    const limit = longestNormalSilence(tracker, ageMinutes, norm.budgetPerWeek);
    if (limit === null) continue;
    const dueMs = Math.max(
      tracker.lastMs + limit * MINUTE_MS,
      timeOfEvidence(tracker, norm, heartbeat.clockMs),
    );
    if (dueMs < (next?.dueMs ?? Number.POSITIVE_INFINITY)) next = { usualMinutes: tracker.mean, dueMs };
  }
  return next;
}

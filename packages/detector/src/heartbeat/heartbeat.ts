import { MINUTE_MS } from '../state/durations.ts';
import { evidencePerEvent, mayBeEmpty, type Norm, timeOfEvidence, usualRate } from './empty-heartbeats.ts';
import {
  createTracker,
  isTracked,
  MERGED_MS,
  pauseTracker,
  type Tracker,
  trackEvents,
} from './gap-tracker.ts';
import { longestNormalSilence } from './normal-silence.ts';
import { advanceTo, createQuietHours, isQuietHour, markLateEvents, type QuietHours } from './quiet-hours.ts';

const HALF_HOUR_MINUTES = 30;

/** What is remembered of a sender; plain JSON but for the calendar of its quiet hours. */
export interface Heartbeat {
  firstMs: number;
  /** Of its last event; missing in what an earlier program saved. */
  seenMs?: number;
  clockMs: number;
  trackers: Tracker[];
  quietHours: QuietHours;
  /** Index of the tracker whose heartbeat is overdue; -1 while none is. */
  overdue: number;
}

export interface OverdueHeartbeat {
  kind: 'overdue';
  /** What is usual between two heartbeats, and how long it has been. */
  usualMinutes: number;
  elapsedMinutes: number;
  /** How long ago its last event came, and the next heartbeat was due. */
  seenMinutesAgo: number;
  dueMinutesAgo: number;
}
export type HeartbeatChange = OverdueHeartbeat | { kind: 'returned' };

export function createHeartbeat(timeMs: number): Heartbeat {
  const trackers = MERGED_MS.map(createTracker);
  return {
    firstMs: timeMs,
    seenMs: timeMs,
    clockMs: timeMs,
    trackers,
    quietHours: createQuietHours(),
    overdue: -1,
  };
}

/** Records events of one time, which end a silence that was reported. */
export function recordEvent(heartbeat: Heartbeat, timeMs: number, events: number): HeartbeatChange | null {
  advanceTo(heartbeat.quietHours, timeMs);
  heartbeat.quietHours.hasEvents = true;
  heartbeat.seenMs = timeMs;
  heartbeat.trackers.forEach((tracker, index) =>
    trackEvents(tracker, MERGED_MS[index] ?? 0, { timeMs, events }),
  );
  return endSilence(heartbeat);
}

/**
 * Records that the sender is alive, by an event that came late. It begins no heartbeat and no gap, so an import leaves
 * what was learned as it was; only the time until a heartbeat is overdue starts over.
 */
export function recordLateEvent(heartbeat: Heartbeat, timeMs: number): HeartbeatChange | null {
  advanceTo(heartbeat.quietHours, timeMs);
  markLateEvents(heartbeat.quietHours);
  heartbeat.seenMs = timeMs;
  for (const tracker of heartbeat.trackers) {
    tracker.aliveMs = timeMs;
    tracker.expected = 0;
  }
  return endSilence(heartbeat);
}

function endSilence(heartbeat: Heartbeat): HeartbeatChange | null {
  if (heartbeat.overdue === -1) return null;
  heartbeat.overdue = -1;
  return { kind: 'returned' };
}

/** The time up to which a heartbeat is advanced. */
export interface Advance {
  timeMs: number;
  /** False where the service was down: then the clock stands still. */
  isKnown: boolean;
}

/** Advances the clock, and finds the first heartbeat that is overdue. */
export function advanceHeartbeat(
  heartbeat: Heartbeat,
  { timeMs, isKnown }: Advance,
  norm: Norm,
): HeartbeatChange | null {
  const passedMs = Math.max(0, timeMs - heartbeat.clockMs);
  heartbeat.clockMs = Math.max(timeMs, heartbeat.clockMs);
  advanceTo(heartbeat.quietHours, timeMs);
  if (!isKnown) heartbeat.quietHours.hasEvents = true;
  let change: HeartbeatChange | null = null;
  heartbeat.trackers.forEach((tracker, index) => {
    if (tracker.heartbeatMs === 0) return;
    const reach = Math.ceil((1.5 * tracker.mean) / HALF_HOUR_MINUTES) - 1;
    if (!isKnown || (tracker.gaps > 0 && isQuietHour(heartbeat.quietHours, Math.max(0, reach)))) {
      pauseTracker(tracker, timeMs, passedMs);
      return;
    }
    if (heartbeat.overdue !== -1 || !isTracked(tracker, index)) return;
    const limit = longestNormalSilence(tracker, (timeMs - heartbeat.firstMs) / MINUTE_MS, norm.budgetPerWeek);
    if (limit === null) return;
    const elapsedMinutes = (timeMs - Math.max(tracker.lastMs, tracker.aliveMs ?? 0)) / MINUTE_MS;
    const evidence = evidencePerEvent(tracker);
    if (evidence !== null) {
      const passedMinutes = Math.min(elapsedMinutes, passedMs / MINUTE_MS);
      tracker.expected = (tracker.expected ?? 0) + passedMinutes * usualRate(tracker, norm, timeMs);
    }
    if (elapsedMinutes <= limit) return;
    if (evidence !== null && mayBeEmpty(tracker, { elapsedMinutes, evidence }, norm.budgetPerWeek)) return;
    heartbeat.overdue = index;
    change = {
      kind: 'overdue',
      usualMinutes: tracker.mean,
      elapsedMinutes,
      ...timesOf(heartbeat, tracker, timeMs),
    };
  });
  return change;
}

/** Due is a mean gap after the last heartbeat; quiet hours do not count. */
function timesOf({ seenMs }: Heartbeat, { heartbeatMs, lastMs, aliveMs = 0, mean }: Tracker, timeMs: number) {
  return {
    seenMinutesAgo: (timeMs - (seenMs ?? lastMs)) / MINUTE_MS,
    dueMinutesAgo: (timeMs - Math.max(heartbeatMs, aliveMs)) / MINUTE_MS - mean,
  };
}

/** When the next event of a regular sender is overdue; null for a sender that is not known to be regular. */
export function nextDue(heartbeat: Heartbeat, norm: Norm): { usualMinutes: number; dueMs: number } | null {
  const ageMinutes = (heartbeat.clockMs - heartbeat.firstMs) / MINUTE_MS;
  let next: { usualMinutes: number; dueMs: number } | null = null;
  heartbeat.trackers.forEach((tracker, index) => {
    if (!isTracked(tracker, index)) return;
    const limit = longestNormalSilence(tracker, ageMinutes, norm.budgetPerWeek);
    if (limit === null) return;
    const dueMs = Math.max(
      tracker.lastMs + limit * MINUTE_MS,
      timeOfEvidence(tracker, norm, heartbeat.clockMs),
    );
    if (dueMs < (next?.dueMs ?? Number.POSITIVE_INFINITY)) next = { usualMinutes: tracker.mean, dueMs };
  });
  return next;
}

import { MINUTE_MS } from '../state/durations.ts';
import { MINUTES_PER_WEEK } from '../state/resolution.ts';
import { gammaInformation, gammaShape, gammaUpperQuantile } from './gamma-distribution.ts';
import {
  createHeartbeatCounts,
  evidencePerMissingEvent,
  type HeartbeatCounts,
  learnHeartbeat,
} from './heartbeat-counts.ts';
import { advanceTo, createQuietHours, isQuietHour, markLateEvents, type QuietHours } from './quiet-hours.ts';

/**
 * A sender that is regular, however rarely it sends, is watched by the gaps between its events. Events closer than
 * this are one heartbeat: three trackers serve those that send batches.
 */
const MERGED_MS = [2_000, 60_000, 30 * 60_000] as const;
const KEPT_GAPS = 32;
const MIN_GAPS = 5;
/** Merging alone makes the gaps of random events look regular, unless they are so many times what it merges. */
const MIN_MERGED_GAPS = 4;
/** Regular: the gaps' coefficient of variation is at most a half. */
const MIN_SHAPE = 4;
const MIN_AGE_MINUTES = 1_440;
/** A gap so many times the mean is an outage or a quiet hour, and is not learned. */
const MAX_LEARNED_GAP = 10;
/** The same where late events came within it: those on time may have been among them. */
const MAX_LEARNED_LATE_GAP = 2;

/**
 * A silence is normal up to so many mean gaps, and not after so many, however regular the sender is: it may skip once, by
 * a lock or a deploy.
 */
const MAX_FLOOR = 2.5;
/** The same of a rare sender with little jitter: so many, at least an hour and a half, and standard deviations. */
const MIN_FLOOR = 1.2;
const MIN_DELAY_MINUTES = 90;
const FLOOR_DEVIATIONS = 8;

const HALF_HOUR_MINUTES = 30;
/** A heartbeat this late is missing. */
const MISSED_GAPS = 0.5;

interface Tracker {
  /** Beginning of the last heartbeat, and its latest event; both moved on by quiet hours. */
  heartbeatMs: number;
  lastMs: number;
  /** The last late event, moved on likewise; missing: there was none. */
  aliveMs?: number;
  gaps: number;
  /** Means of the gaps (minutes) and of their logarithms. */
  mean: number;
  logMean: number;
  /** Missing in what an earlier program saved: then the gaps alone decide. */
  counts?: HeartbeatCounts;
  /** Events that its rate and the time of day made expected since its latest event; missing: none. */
  expected?: number;
}

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
  const trackers = MERGED_MS.map(() => ({ heartbeatMs: 0, lastMs: 0, gaps: 0, mean: 0, logMean: 0 }));
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

function trackEvents(
  tracker: Tracker,
  mergedMs: number,
  { timeMs, events }: { timeMs: number; events: number },
): void {
  tracker.expected = 0;
  if (tracker.lastMs > 0 && timeMs - tracker.lastMs < mergedMs) {
    tracker.lastMs = Math.max(tracker.lastMs, timeMs);
    if (tracker.counts) tracker.counts.running += events;
    return;
  }
  if (tracker.counts) learnHeartbeat(tracker.counts, KEPT_GAPS);
  tracker.counts ??= createHeartbeatCounts();
  tracker.counts.running = events;
  const gap = (timeMs - tracker.heartbeatMs) / MINUTE_MS;
  const longest = (tracker.aliveMs ?? 0) > tracker.heartbeatMs ? MAX_LEARNED_LATE_GAP : MAX_LEARNED_GAP;
  const isOutage = tracker.gaps >= MIN_GAPS && gap > longest * tracker.mean;
  if (tracker.heartbeatMs > 0 && gap > 0 && !isOutage) {
    tracker.gaps++;
    const part = 1 / Math.min(tracker.gaps, KEPT_GAPS);
    tracker.mean += (gap - tracker.mean) * part;
    tracker.logMean += (Math.log(gap) - tracker.logMean) * part;
  }
  tracker.heartbeatMs = timeMs;
  tracker.lastMs = timeMs;
}

/** The time up to which a heartbeat is advanced. */
export interface Advance {
  timeMs: number;
  /** False where the service was down: then the clock stands still. */
  isKnown: boolean;
}

/** What is normal for a sender. */
export interface Norm {
  /** False alarms a week. */
  budgetPerWeek: number;
  /** The least rate that the level and the time of day make normal, in events a minute. */
  lowestRate: (timeMs: number) => number;
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
      tracker.heartbeatMs = Math.min(timeMs, tracker.heartbeatMs + passedMs);
      tracker.lastMs = Math.min(timeMs, tracker.lastMs + passedMs);
      if (tracker.aliveMs !== undefined) tracker.aliveMs = Math.min(timeMs, tracker.aliveMs + passedMs);
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

/**
 * The evidence, in nats, of each event that is expected and missing, where heartbeats differ in their number of events: a
 * sender that flushes what it has collected has empty ones. Null where the gaps alone decide: heartbeats are alike, or
 * more than half an hour apart. The lows of the band are those of half an hour, and would be zero between them; and the gaps
 * that are kept of these span most of a day, with the empty heartbeats of its night.
 */
function evidencePerEvent({ counts, mean, logMean }: Tracker): number | null {
  if (!counts || mean > HALF_HOUR_MINUTES) return null;
  return evidencePerMissingEvent(counts, { logRatio: Math.log(mean) - logMean, kept: KEPT_GAPS });
}

/** Of events a minute: of the heartbeats that are remembered, and by level and time of day; the lesser. */
function usualRate({ counts, mean }: Tracker, { lowestRate }: Norm, timeMs: number): number {
  return Math.min(counts ? counts.mean / mean : 0, lowestRate(timeMs));
}

/** Whether the heartbeats that are missing are empty with at least the chance that the budget allows one. */
function mayBeEmpty(
  { mean, expected = 0 }: Tracker,
  { elapsedMinutes, evidence }: { elapsedMinutes: number; evidence: number },
  budgetPerWeek: number,
): boolean {
  const missed = Math.floor(elapsedMinutes / mean - MISSED_GAPS);
  const expectedOfMissed = (expected * missed * mean) / elapsedMinutes;
  return expectedOfMissed * evidence < -Math.log(chanceOf(mean, budgetPerWeek));
}

/** The chance that its budget allows a gap. */
function chanceOf(mean: number, budgetPerWeek: number): number {
  return (budgetPerWeek * mean) / MINUTES_PER_WEEK;
}

/** When the next event of a regular sender is overdue; null for a sender that is not known to be regular. */
export function nextDue(heartbeat: Heartbeat, norm: Norm): { usualMinutes: number; dueMs: number } | null {
  const ageMinutes = (heartbeat.clockMs - heartbeat.firstMs) / MINUTE_MS;
  let next: { usualMinutes: number; dueMs: number } | null = null;
  heartbeat.trackers.forEach((tracker, index) => {
    if (!isTracked(tracker, index)) return;
    const limit = longestNormalSilence(tracker, ageMinutes, norm.budgetPerWeek);
    if (limit === null) return;
    const dueMs = Math.max(tracker.lastMs + limit * MINUTE_MS, timeOfEvidence(heartbeat, tracker, norm));
    if (dueMs < (next?.dueMs ?? Number.POSITIVE_INFINITY)) next = { usualMinutes: tracker.mean, dueMs };
  });
  return next;
}

/** When so many events are missing that heartbeats are not empty by chance, should the rate stay as it is now. */
function timeOfEvidence({ clockMs }: Heartbeat, tracker: Tracker, norm: Norm): number {
  const evidence = evidencePerEvent(tracker);
  if (evidence === null) return 0;
  const needed = -Math.log(chanceOf(tracker.mean, norm.budgetPerWeek)) / evidence - (tracker.expected ?? 0);
  return needed <= 0 ? 0 : clockMs + (needed / usualRate(tracker, norm, clockMs)) * MINUTE_MS;
}

/** Whether the gaps are long enough for what the tracker merges. */
function isTracked({ heartbeatMs, mean }: Tracker, index: number): boolean {
  return heartbeatMs > 0 && mean * MINUTE_MS >= MIN_MERGED_GAPS * (MERGED_MS[index] ?? 0);
}

/**
 * The longest silence that is normal, in minutes; null for a sender that is not regular, or not known to be.
 *
 * Gaps have a gamma distribution of the shape k that they were estimated to have, lowered by k/√n for the error of the
 * estimate (our own). A sender is regular once its gaps tell more against random arrivals than the chance that its
 * budget allows a gap (n − 1 gaps of `gammaInformation` each, after Wald, 1945); its limit is the gamma quantile of that
 * chance, at least `floorOf` and at most 6 mean gaps.
 */
function longestNormalSilence(tracker: Tracker, ageMinutes: number, budgetPerWeek: number): number | null {
  const { gaps, mean, logMean } = tracker;
  if (gaps < MIN_GAPS || ageMinutes < MIN_AGE_MINUTES) return null;
  const n = Math.min(gaps, KEPT_GAPS);
  const shape = gammaShape(Math.max(1e-9, Math.log(mean) - logMean));
  if (shape < MIN_SHAPE) return null;
  const chance = chanceOf(mean, budgetPerWeek);
  if ((n - 1) * gammaInformation(shape) < -Math.log(chance)) return null;
  const cautiousShape = shape * (1 - 1 / Math.sqrt(n));
  const quantile = gammaUpperQuantile(cautiousShape, chance);
  if (mean * quantile > 6 * mean + 1) return null;
  return Math.max(floorOf(mean, cautiousShape), mean * quantile);
}

/**
 * The least silence that is not normal, in minutes: 2.5 mean gaps for frequent senders or much jitter. What comes twice a
 * day with a jitter of less than 2.5% is overdue after 1.2 gaps, so a job of the night is reported the same morning. Eight
 * standard deviations (of 1/√k) hold every budget where gaps have a gamma distribution; the rest is for those that have
 * not: a delay of an hour and a half is a slow run. (Our own.)
 */
function floorOf(mean: number, shape: number): number {
  const longest = MAX_FLOOR * mean + Math.min(0.5, mean);
  const regular = Math.max(MIN_FLOOR, 1 + FLOOR_DEVIATIONS / Math.sqrt(shape)) * mean;
  return Math.min(longest, Math.max(regular, mean + MIN_DELAY_MINUTES));
}

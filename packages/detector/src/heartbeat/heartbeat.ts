import { MINUTES_PER_WEEK } from '../state/resolution.ts';
import { digamma, gammaUpperQuantile, logGamma } from './gamma-distribution.ts';
import { createPauses, isPause, type Pauses, turnTo } from './quiet-hours.ts';

/**
 * A sender that is regular, however rarely it sends, is watched by the gaps between its events. Events closer than
 * this are one beat: three trackers serve those that send batches.
 */
const MERGED_MS = [2_000, 60_000, 30 * 60_000] as const;
const KEPT_GAPS = 32;
const FEWEST_GAPS = 5;
/** Merging alone makes gaps of random events look regular, unless they are so many times what it merges. */
const LEAST_MERGED_GAPS = 4;
/** Regular: the gaps' coefficient of variation is at most a half. */
const LEAST_SHAPE = 4;
const LEAST_AGE_MINUTES = 1_440;
/** A gap so many times the mean is an outage or a pause, and is not learned. */
const LONGEST_GAP = 10;

const MINUTE_MS = 60_000;
const HALF_HOUR_MINUTES = 30;

interface Tracker {
  /** Beginning of the last beat, and its latest event; both moved on by what was a pause. */
  beatMs: number;
  lastMs: number;
  gaps: number;
  /** Means of the gaps (minutes) and of their logarithms. */
  mean: number;
  logMean: number;
}

/** What is remembered of a sender; plain JSON but for the calendar of its pauses. */
export interface Heartbeat {
  firstMs: number;
  clockMs: number;
  trackers: Tracker[];
  pauses: Pauses;
  /** Index of the tracker that misses a beat; -1 while none does. */
  missing: number;
}

export interface MissedBeat {
  kind: 'missed';
  /** What is usual between two beats, and how long it has been. */
  usualMinutes: number;
  elapsedMinutes: number;
}
export type HeartbeatChange = MissedBeat | { kind: 'returned' };

export function createHeartbeat(timeMs: number): Heartbeat {
  const trackers = MERGED_MS.map(() => ({ beatMs: 0, lastMs: 0, gaps: 0, mean: 0, logMean: 0 }));
  return { firstMs: timeMs, clockMs: timeMs, trackers, pauses: createPauses(), missing: -1 };
}

/** Takes an event in. What ends a silence that was told is its return. */
export function beat(heartbeat: Heartbeat, timeMs: number): HeartbeatChange | null {
  turnTo(heartbeat.pauses, timeMs);
  heartbeat.pauses.isAlive = true;
  heartbeat.trackers.forEach((tracker, index) => takeEvent(tracker, MERGED_MS[index] as number, timeMs));
  if (heartbeat.missing === -1) return null;
  heartbeat.missing = -1;
  return { kind: 'returned' };
}

/** Takes in that the sender is alive, from what is no beat: gaps are not learned, and none is overdue. */
export function stayAlive(heartbeat: Heartbeat, timeMs: number): HeartbeatChange | null {
  turnTo(heartbeat.pauses, timeMs);
  heartbeat.pauses.isAlive = true;
  for (const tracker of heartbeat.trackers) {
    if (tracker.beatMs === 0 || timeMs - tracker.lastMs <= tracker.mean * MINUTE_MS) continue;
    tracker.beatMs = timeMs;
    tracker.lastMs = timeMs;
  }
  if (heartbeat.missing === -1) return null;
  heartbeat.missing = -1;
  return { kind: 'returned' };
}

function takeEvent(tracker: Tracker, mergedMs: number, timeMs: number): void {
  if (tracker.lastMs > 0 && timeMs - tracker.lastMs < mergedMs) {
    tracker.lastMs = Math.max(tracker.lastMs, timeMs);
    return;
  }
  const gap = (timeMs - tracker.beatMs) / MINUTE_MS;
  const isOutage = tracker.gaps >= FEWEST_GAPS && gap > LONGEST_GAP * tracker.mean;
  if (tracker.beatMs > 0 && gap > 0 && !isOutage) {
    tracker.gaps++;
    const part = 1 / Math.min(tracker.gaps, KEPT_GAPS);
    tracker.mean += (gap - tracker.mean) * part;
    tracker.logMean += (Math.log(gap) - tracker.logMean) * part;
  }
  tracker.beatMs = timeMs;
  tracker.lastMs = timeMs;
}

/**
 * Lets time pass, and says when a beat is missing.
 * @param isKnown false where the service was down: then the clock stands still
 */
export function passTime(
  heartbeat: Heartbeat,
  timeMs: number,
  isKnown: boolean,
  budgetPerWeek: number,
): HeartbeatChange | null {
  const passedMs = Math.max(0, timeMs - heartbeat.clockMs);
  heartbeat.clockMs = Math.max(timeMs, heartbeat.clockMs);
  turnTo(heartbeat.pauses, timeMs);
  if (!isKnown) heartbeat.pauses.isAlive = true;
  let change: HeartbeatChange | null = null;
  heartbeat.trackers.forEach((tracker, index) => {
    if (tracker.beatMs === 0) return;
    const reach = Math.ceil((1.5 * tracker.mean) / HALF_HOUR_MINUTES) - 1;
    if (!isKnown || (tracker.gaps > 0 && isPause(heartbeat.pauses, Math.max(0, reach)))) {
      tracker.beatMs = Math.min(timeMs, tracker.beatMs + passedMs);
      tracker.lastMs = Math.min(timeMs, tracker.lastMs + passedMs);
      return;
    }
    if (heartbeat.missing !== -1) return;
    if (tracker.mean * MINUTE_MS < LEAST_MERGED_GAPS * (MERGED_MS[index] as number)) return;
    const limit = limitOf(tracker, (timeMs - heartbeat.firstMs) / MINUTE_MS, budgetPerWeek);
    const elapsedMinutes = (timeMs - tracker.lastMs) / MINUTE_MS;
    if (limit === null || elapsedMinutes <= limit) return;
    heartbeat.missing = index;
    change = { kind: 'missed', usualMinutes: tracker.mean, elapsedMinutes };
  });
  return change;
}

/** The longest silence that is normal, in minutes; null for a sender that is not regular, or not known to be. */
function limitOf(tracker: Tracker, ageMinutes: number, budgetPerWeek: number): number | null {
  const { gaps, mean, logMean } = tracker;
  if (gaps < FEWEST_GAPS || ageMinutes < LEAST_AGE_MINUTES) return null;
  const n = Math.min(gaps, KEPT_GAPS);
  const spread = Math.max(1e-9, Math.log(mean) - logMean);
  // The maximum likelihood shape of a gamma distribution (Minka, 2002, first step).
  const shape = (3 - spread + Math.sqrt((spread - 3) ** 2 + 24 * spread)) / (12 * spread);
  if (shape < LEAST_SHAPE) return null;
  const chance = (budgetPerWeek * mean) / MINUTES_PER_WEEK;
  if ((n - 1) * informationOf(shape) < -Math.log(chance)) return null;
  const quantile = gammaUpperQuantile(shape * (1 - 1 / Math.sqrt(n)), chance);
  if (mean * quantile > 6 * mean + 1) return null;
  return Math.max(2.5 * mean + Math.min(0.5, mean), mean * quantile);
}

/** How much a gap of this shape tells against random arrivals, in nats. */
function informationOf(shape: number): number {
  if (shape > 1e6) return 0.5 * Math.log(shape / (2 * Math.PI)) + 0.5;
  return 1 - (shape - Math.log(shape) + logGamma(shape) + (1 - shape) * digamma(shape));
}

import { MINUTE_MS } from '../state/durations.ts';
import { KEPT_GAPS } from './gap-tracker.ts';
import { evidencePerMissingEvent } from './heartbeat-counts.ts';
import type { Tracker } from './heartbeat-state.ts';
import { chanceOf } from './normal-silence.ts';

/** A heartbeat this late is missing. */
const MISSED_GAPS = 0.5;
/** Of heartbeats further apart the gaps alone decide. */
const MAX_GAP_MINUTES = 30;

/** What is normal for a sender. */
export interface Norm {
  /** False alarms a week. */
  budgetPerWeek: number;
  /** The least rate that the level and the time of day make normal, in events a minute. */
  lowestRate: (timeMs: number) => number;
}

/**
 * The evidence, in nats, of each event that is expected and missing, where heartbeats differ in their number of events: a
 * sender that flushes what it has collected has empty ones. Null where the gaps alone decide: heartbeats are alike, or
 * more than half an hour apart. The lows of the band are those of half an hour, and would be zero between them; and the gaps
 * that are kept of these span most of a day, with the empty heartbeats of its night.
 */
export function evidencePerEvent(tracker: Tracker): number | null {
  const { mean, logMean } = tracker;
  if (mean > MAX_GAP_MINUTES) return null;
  return evidencePerMissingEvent(tracker, { logRatio: Math.log(mean) - logMean, kept: KEPT_GAPS });
}

/** Of events a minute: of the heartbeats that are remembered, and by level and time of day; the lesser. */
export function usualRate({ meanCount, mean }: Tracker, { lowestRate }: Norm, timeMs: number): number {
  return Math.min(meanCount / mean, lowestRate(timeMs));
}

/** True if the heartbeats that are missing are empty with at least the chance that the budget allows one. */
export function mayBeEmpty(
  { mean, expected }: Tracker,
  { elapsedMinutes, evidence }: { elapsedMinutes: number; evidence: number },
  budgetPerWeek: number,
): boolean {
  const missed = Math.floor(elapsedMinutes / mean - MISSED_GAPS);
  const expectedOfMissed = (expected * missed * mean) / elapsedMinutes;
  return expectedOfMissed * evidence < -Math.log(chanceOf(mean, budgetPerWeek));
}

/** When so many events are missing that heartbeats are not empty by chance, should the rate stay as it is now. */
export function timeOfEvidence(tracker: Tracker, norm: Norm, clockMs: number): number {
  const evidence = evidencePerEvent(tracker);
  if (evidence === null) return 0;
  const needed = -Math.log(chanceOf(tracker.mean, norm.budgetPerWeek)) / evidence - tracker.expected;
  return needed <= 0 ? 0 : clockMs + (needed / usualRate(tracker, norm, clockMs)) * MINUTE_MS;
}

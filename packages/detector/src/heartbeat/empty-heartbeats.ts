import { MINUTE_MS } from '../state/durations.ts';
import { KEPT_GAPS } from './gap-tracker.ts';
import { evidencePerMissingEvent } from './heartbeat-counts.ts';
import type { Tracker } from './heartbeat-state.ts';
import { chanceOf } from './normal-silence.ts';

/** Part of a gap by which a missing heartbeat is late. */
const MISSED_GAPS = 0.5;
/** Mean gap beyond which the gaps alone decide. */
const MAX_GAP_MINUTES = 30;

/** Norm of a sender. */
export interface Norm {
  /** False alarms a week. */
  budgetPerWeek: number;
  /** Least rate that the level and the time of day make normal, in events a minute. */
  lowestRate: (timeMs: number) => number;
}

/**
 * Returns the evidence, in nats, of each expected event that is missing, where heartbeats differ in their number of events: a
 * sender that flushes collected events has empty ones. Null where the gaps alone decide: heartbeats are alike, or more than
 * half an hour apart. Between such the lows of the band, of half an hour, would be zero; and their kept gaps span most of a
 * day, with the empty heartbeats of its night.
 */
export function evidencePerEvent(tracker: Tracker): number | null {
  const { mean, logMean } = tracker;
  if (mean > MAX_GAP_MINUTES) return null;
  return evidencePerMissingEvent(tracker, { logRatio: Math.log(mean) - logMean, kept: KEPT_GAPS });
}

/** Returns the lesser of two rates, in events a minute: of the remembered heartbeats, and by level and time of day. */
export function usualRate({ meanCount, mean }: Tracker, { lowestRate }: Norm, timeMs: number): number {
  return Math.min(meanCount / mean, lowestRate(timeMs));
}

/** True if the chance that the missing heartbeats are empty is at least the one that the budget allows. */
export function mayBeEmpty(
  { mean, expected }: Tracker,
  { elapsedMinutes, evidence }: { elapsedMinutes: number; evidence: number },
  budgetPerWeek: number,
): boolean {
  const missed = Math.floor(elapsedMinutes / mean - MISSED_GAPS);
  const expectedOfMissed = (expected * missed * mean) / elapsedMinutes;
  return expectedOfMissed * evidence < -Math.log(chanceOf(mean, budgetPerWeek));
}

/** Returns when so many events will be missing that heartbeats are not empty by chance, at the present rate. */
export function timeOfEvidence(tracker: Tracker, norm: Norm, clockMs: number): number {
  const evidence = evidencePerEvent(tracker);
  if (evidence === null) return 0;
  const needed = -Math.log(chanceOf(tracker.mean, norm.budgetPerWeek)) / evidence - tracker.expected;
  return needed <= 0 ? 0 : clockMs + (needed / usualRate(tracker, norm, clockMs)) * MINUTE_MS;
}

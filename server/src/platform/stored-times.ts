import { MINUTE_MS } from './durations.ts';

/* The one rule for stored times: a clock that was wrong for seconds leaves no stored time that outlasts its error. */

/** Maximum difference between the clocks of processes that share a database. */
export const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** The latest credible time of a hold of at most `maxMs`; queries use it as a limit. */
export function latestHold(nowMs: number, maxMs: number): number {
  return nowMs + maxMs + CLOCK_TOLERANCE_MS;
}

/**
 * Returns until when a stored time holds something back: a lease, a block, a bucket, a retry, a lock of guesses. One
 * that is further ahead than its rule allows comes from a clock that was wrong, and counts as now.
 * @param maxMs maximum time for which the rule holds something back
 */
export function heldUntil(storedMs: number, maxMs: number, nowMs: number): number {
  return storedMs > latestHold(nowMs, maxMs) ? nowMs : storedMs;
}

/**
 * Returns until when something is allowed: a session, a token, an invitation, a silence. It never ends for being too
 * far ahead, and is shown as far ahead as its rule allows at most. It ends by the confirmed time of a clock
 * (`confirmedTime`).
 * @param maxMs maximum time for which the rule allows something
 */
export function allowedUntil(storedMs: number, maxMs: number, nowMs: number): number {
  return Math.min(storedMs, nowMs + maxMs);
}

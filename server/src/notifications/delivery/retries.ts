import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { MAX_RETRY_AFTER_MS } from '../channels/base/outcome.ts';

/**
 * Delays after each failed attempt. Svix's schedule (https://docs.svix.com/retries), with 30 s and 2 min inserted: an
 * alarm is worth most in its first minutes.
 */
const RETRY_DELAYS_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];
const JITTER = 0.2;
/** An attempt takes 25 s at most (a mail), and a lease that is nearly this old is extended before it. */
export const LEASE_MS = 30_000;
/** Other messages of a failing target are tried this much later: one after the other, not all at once. */
const FAILED_BLOCK_MS = 30_000;
/** Maximum wait that a target may ask for. */
export const MAX_BLOCK_MS = MAX_RETRY_AFTER_MS;
/** A target that accepted nothing for so long is disabled. */
export const MAX_FAILING_MS = 5 * DAY_MS;
/** Maximum consecutive answers that refuse the target as such. */
export const MAX_REFUSALS = 2;
/** Failed attempts after which the fallback target of a route is used. */
export const FALLBACK_ATTEMPTS = 3;
export const FALLBACK_MS = 5 * MINUTE_MS;
/**
 * A delivery that was never attempted for so long is held: it may come from a restored backup, and would be read as
 * news.
 */
export const HOLD_MS = DAY_MS;

/**
 * When the next attempt follows; null: there is none.
 * @param attempts number of attempts so far, at least one
 * @param random from 0 to 1
 */
export function nextAttempt(
  { attempts, retryAfterMs }: { attempts: number; retryAfterMs: number | null },
  random: number,
): { delayMs: number; blockMs: number } | null {
  const base = RETRY_DELAYS_MS[attempts - 1];
  if (base === undefined) return null;
  const jittered = Math.round(base * (1 - JITTER + 2 * JITTER * random));
  const delayMs = retryAfterMs === null ? jittered : Math.max(1_000, retryAfterMs);
  return { delayMs, blockMs: retryAfterMs === null ? Math.min(FAILED_BLOCK_MS, delayMs) : delayMs };
}

/** Longest delays after each number of attempts, from one on. */
export const MAX_DELAYS_MS = RETRY_DELAYS_MS.map((delayMs) =>
  Math.max(MAX_RETRY_AFTER_MS, delayMs * (1 + JITTER)),
);

import { DAY_MS, HOUR_MS } from '../platform/durations.ts';
/** An unexpected clock is trusted after the service has run with it for this long. */
export const DOUBT_MS = 24 * HOUR_MS;

/**
 * The trusted time, stored in the database. Retention deletes by the clock, so a clock that is wrong for a minute would
 * delete everything: it is trusted only if it continues as before.
 */
export interface TrustedTime {
  /** Latest trusted time, in milliseconds. */
  trustedMs: number;
  /** Set while the clock is not trusted. */
  doubt: Doubt | null;
}

interface Doubt {
  /** Latest observed time, and how long the service has run since the first doubted one. */
  seenMs: number;
  ranMs: number;
}

/**
 * Decides whether the time of a round of maintenance is trusted: if it is at most a day plus twice the uptime after the
 * last trusted time, otherwise (the clock was changed, or the service was off for longer) after `DOUBT_MS` of uptime with
 * it. A switched-off service and a wrong clock look the same, and the first one loses nothing by the delay.
 * @param elapsedMs uptime since the last round
 * @param presentMs uptime of ingestion since the trusted time; 0: unknown
 */
export function assessTime(
  { trustedMs, doubt }: TrustedTime,
  nowMs: number,
  elapsedMs: number,
  presentMs: number,
): TrustedTime {
  const ranMs = (doubt?.ranMs ?? 0) + elapsedMs;
  const aheadMs = nowMs - trustedMs;
  if (aheadMs >= -DAY_MS && aheadMs <= DAY_MS + 2 * Math.max(ranMs, presentMs)) {
    return { trustedMs: Math.max(trustedMs, nowMs), doubt: null };
  }
  const isSameClock = doubt !== null && Math.abs(nowMs - doubt.seenMs - elapsedMs) <= DAY_MS;
  if (!isSameClock) return { trustedMs, doubt: { seenMs: nowMs, ranMs: 0 } };
  if (ranMs >= DOUBT_MS) return { trustedMs: nowMs, doubt: null };
  return { trustedMs, doubt: { seenMs: nowMs, ranMs } };
}

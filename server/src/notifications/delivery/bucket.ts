import { heldUntil } from '../../platform/stored-times.ts';

/**
 * Takes a token from a bucket that is stored as one time, in a row that all workers share: GCRA, the generic cell
 * rate algorithm (ITU-T I.371). `untilMs` is when the bucket is full again.
 * @returns when the next message may be sent, and the bucket after it
 */
export function takeToken(
  untilMs: number,
  { burst, perSecond }: { burst: number; perSecond: number },
  nowMs: number,
): { waitMs: number; untilMs: number } {
  const intervalMs = 1_000 / perSecond;
  const after = Math.max(heldUntil(untilMs, burst * intervalMs, nowMs), nowMs) + intervalMs;
  const waitMs = Math.max(0, Math.ceil(after - nowMs - burst * intervalMs));
  return waitMs > 0 ? { waitMs, untilMs } : { waitMs: 0, untilMs: after };
}

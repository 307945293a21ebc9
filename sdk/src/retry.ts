const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;
const RETRY_AFTER_SPREAD_MS = 250;

/**
 * Returns the wait before attempt `retry` (from 0) is repeated: the server's `Retry-After`, or else twice as
 * long each time, with random jitter, so that clients that failed together do not return together.
 */
export function retryDelayMs(retry: number, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined) return retryAfterMs + random() * RETRY_AFTER_SPREAD_MS;
  const ceilingMs = Math.min(FIRST_BACKOFF_MS * 2 ** retry, MAX_BACKOFF_MS);
  return ceilingMs * (0.5 + random() / 2);
}

/** Parses the header `Retry-After`, in seconds or as a date; undefined if it is neither. */
export function parseRetryAfterMs(header: string | null, wallClockMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const delayMs = Number.isNaN(seconds) ? Date.parse(header) - wallClockMs : seconds * 1_000;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}

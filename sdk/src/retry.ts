const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;
const RETRY_AFTER_SPREAD_MS = 250;

/**
 * How long to wait before attempt `retry` (from 0) is repeated: what the server asked for, else twice as
 * long each time. By chance a little more or less, so that clients that failed together don't return together.
 */
export function retryDelayMs(retry: number, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined) return retryAfterMs + random() * RETRY_AFTER_SPREAD_MS;
  const ceilingMs = Math.min(FIRST_BACKOFF_MS * 2 ** retry, MAX_BACKOFF_MS);
  return ceilingMs * (0.5 + random() / 2);
}

/** The header `Retry-After` in either of its forms, seconds or a date; undefined where it holds neither. */
export function parseRetryAfterMs(header: string | null, wallClockMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const delayMs = Number.isNaN(seconds) ? Date.parse(header) - wallClockMs : seconds * 1_000;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}

import { DAY_MS } from '../../platform/durations.ts';

const MAX_AGE_MS = 7 * DAY_MS;
/** Minimum difference that is a wrong clock; a smaller one is the time that the request took. */
const MIN_DRIFT_MS = 55 * 60_000;
/** Maximum correction that is not worth saying: two clocks never agree. */
const MAX_UNSAID_MS = 1_000;

/** Clocks of one request. */
export interface RequestTimes {
  receivedAtMs: number;
  /** Time of sending by the sender's clock; null: it was not sent. */
  sentAtMs: number | null;
}

/** Milliseconds of a time in seconds or in ISO 8601; null for anything else. */
export function toMilliseconds(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number === 'number') return Number.isFinite(number) && number > 0 ? number * 1_000 : null;
  if (typeof value !== 'string') return null;
  // Python sends no zone, and means UTC.
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
  return Number.isFinite(ms) ? ms : null;
}

/**
 * Time of an event by the clock of the service: that of the sender is corrected if it is wrong by an hour or so, and
 * the result lies within the last seven days.
 */
export function correctTime(
  value: unknown,
  { receivedAtMs, sentAtMs }: RequestTimes,
): { capturedAtMs: number; isCorrected: boolean } {
  const claimedMs = toMilliseconds(value);
  if (claimedMs === null) return { capturedAtMs: receivedAtMs, isCorrected: false };
  const driftMs = sentAtMs === null ? 0 : receivedAtMs - sentAtMs;
  const shiftedMs = Math.round(claimedMs + (Math.abs(driftMs) >= MIN_DRIFT_MS ? driftMs : 0));
  const capturedAtMs = Math.min(receivedAtMs, Math.max(receivedAtMs - MAX_AGE_MS, shiftedMs));
  return { capturedAtMs, isCorrected: Math.abs(capturedAtMs - claimedMs) > MAX_UNSAID_MS };
}

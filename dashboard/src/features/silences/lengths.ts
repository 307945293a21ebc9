import { MAX_SILENCE_DAYS } from '../../../../server/src/notifications/silences/limits.ts';
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import { tomorrowMorning } from '../../lib/tomorrow-morning.ts';

export const LENGTHS = ['1h', '4h', 'tomorrow', '1w', 'custom'] as const;
export type Length = (typeof LENGTHS)[number];
const LENGTHS_MS = { '1h': HOUR_MS, '4h': 4 * HOUR_MS, '1w': 7 * DAY_MS };
export const DEFAULT_LENGTH: Length = '1h';

/** Reads the length of `?silence=4h`; null if there is none. */
export function readLength(value: unknown): Length | null {
  if (value === undefined || value === null || value === false) return null;
  return LENGTHS.find((length) => length === value) ?? DEFAULT_LENGTH;
}

/**
 * Returns the end of a silence that begins now.
 * @param typed value of the date and time field, for `custom`
 * @param timeZone the reader's choice; undefined: the browser's
 * @returns NaN if `typed` is no time
 */
export function endOf(
  length: Length,
  typed: string,
  { nowMs, timeZone }: { nowMs: number; timeZone: string | undefined },
): number {
  if (length === 'custom') return Date.parse(timeZone === 'UTC' ? `${typed}Z` : typed);
  if (length === 'tomorrow') return tomorrowMorning(nowMs, timeZone);
  return nowMs + LENGTHS_MS[length];
}

/** Returns the problem with an end; null if it is valid. */
export function checkEnd(untilMs: number, nowMs: number): 'missing' | 'too late' | null {
  if (Number.isNaN(untilMs) || untilMs <= nowMs) return 'missing';
  return untilMs > nowMs + MAX_SILENCE_DAYS * DAY_MS ? 'too late' : null;
}

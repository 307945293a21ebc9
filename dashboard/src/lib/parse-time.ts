import { DAY_MS } from './durations.ts';
import { TIME_ZONE } from './time-zone.ts';

/*
 * Times as people type and paste them, in the reader's time zone. By hand: chrono-node 2.10 reads
 * times out of sentences, which is a guess where a field needs an error, and knows one offset for summer and winter.
 */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CLOCK = String.raw`(?<h>\d{1,2}):(?<min>\d{2})(?::(?<s>\d{2})(?:[.,](?<ms>\d{1,3})\d*)?)?`;
const ZONE = String.raw`\s*(?<zone>z|utc|gmt|(?:(?:utc|gmt)\s*)?[+-]\d{1,2}(?::?\d{2})?)`;
const ISO = new RegExp(
  String.raw`^(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})(?:[t\s,]+${CLOCK}(?:${ZONE})?)?$`,
  'i',
);
const NAMED = new RegExp(
  String.raw`^(?<d>\d{1,2})\s+(?<month>[a-z]{3})[a-z]*\.?(?:\s+(?<y>\d{4}))?(?:[\s,]+${CLOCK}(?:${ZONE})?)?$`,
  'i',
);
const TIME_ONLY = new RegExp(String.raw`^(?:(?<day>today|yesterday)[\s,]*)?${CLOCK}(?:${ZONE})?$`, 'i');

interface Fields {
  year: number;
  month: number;
  day: number;
  clock: [hour: number, minute: number, second: number, ms: number];
}

/**
 * Reads an ISO 8601 time, `20 Nov 06:00`, `14:05` (the last one before now), `today`, `yesterday 14:05`, `now`, or seconds or
 * milliseconds since 1970. A time without a zone is in the reader's. Returns null for anything else.
 */
export function parseTime(text: string, nowMs: number, zone = TIME_ZONE): number | null {
  const typed = text.trim().toLowerCase();
  if (typed === 'now') return nowMs;
  if (typed === 'today') return midnightOf(nowMs, 0, zone);
  if (typed === 'yesterday') return midnightOf(nowMs, -1, zone);
  if (/^\d{10}(?:\.\d+)?$/.test(typed)) return Math.round(Number(typed) * 1_000);
  if (/^\d{13}$/.test(typed)) return Number(typed);
  const time = TIME_ONLY.exec(typed)?.groups;
  if (time) {
    const isYesterday = time['day'] === 'yesterday';
    const atMs = toMs({ ...dayOf(nowMs, isYesterday ? -1 : 0, zone), clock: clockOf(time) }, time, zone);
    return atMs !== null && atMs > nowMs && !time['day'] ? atMs - DAY_MS : atMs;
  }
  const date = (ISO.exec(typed) ?? NAMED.exec(typed))?.groups;
  if (!date || Number(date['d']) === 0) return null;
  const month = date['month'] ? MONTHS.indexOf(date['month']) : Number(date['m']) - 1;
  const thisYear = dayOf(nowMs, 0, zone).year;
  const ofYear = (year: number) =>
    toMs({ year, month, day: Number(date['d']), clock: clockOf(date) }, date, zone);
  if (date['y']) return ofYear(Number(date['y']));
  const atMs = ofYear(thisYear);
  return atMs !== null && atMs > nowMs + DAY_MS ? ofYear(thisYear - 1) : atMs;
}

/** Splits a pasted range: `2026-11-20T06:00Z/2026-11-20T07:00Z`, `06:00 – 07:00`. Null if it is none. */
export function splitRange(text: string): [from: string, to: string] | null {
  const parts = text
    .trim()
    .split(/\s+(?:–|—|-|to|until)\s+|\s*[–—]\s*|\s*\/\s*/i)
    .filter((part) => part !== '');
  const [from, to] = parts;
  return parts.length === 2 && from !== undefined && to !== undefined ? [from, to] : null;
}

/** Formats a time as fields show it and `parseTime` reads it: `2026-11-20 06:00:00`. */
export function formatField(timeMs: number, zone = TIME_ZONE): string {
  const shifted = timeMs - offsetMs(timeMs, zone);
  const text = new Date(shifted).toISOString().replace('T', ' ').replace('Z', '');
  return text.replace(/\.000$/, '');
}

/** Returns the start of a day in the reader's time zone. */
export function midnightOf(nowMs: number, days: number, zone = TIME_ZONE): number {
  const { year, month, day } = dayOf(nowMs, days, zone);
  return zone === 'UTC' ? Date.UTC(year, month, day) : new Date(year, month, day).getTime();
}

function offsetMs(timeMs: number, zone: 'UTC' | undefined): number {
  return zone === 'UTC' ? 0 : new Date(timeMs).getTimezoneOffset() * 60_000;
}

function dayOf(nowMs: number, days: number, zone: 'UTC' | undefined): Omit<Fields, 'clock'> {
  const now = new Date(nowMs - offsetMs(nowMs, zone));
  return { year: now.getUTCFullYear(), month: now.getUTCMonth(), day: now.getUTCDate() + days };
}

function clockOf({
  h = '0',
  min = '0',
  s = '0',
  ms = '0',
}: Record<string, string | undefined>): Fields['clock'] {
  return [Number(h), Number(min), Number(s), Number(ms.padEnd(3, '0'))];
}

function toMs(
  { year, month, day, clock }: Fields,
  { zone: written }: Record<string, string | undefined>,
  zone: 'UTC' | undefined,
): number | null {
  const [hour, minute, second, ms] = clock;
  const daysOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  // `day` of a time without a date may be 0, the last day of the previous month.
  if (month < 0 || month > 11 || day > daysOfMonth || day < 0) return null;
  if (hour > 24 || (hour === 24 && minute + second + ms > 0) || minute > 59 || second > 59) return null;
  if (written) return Date.UTC(year, month, day, hour, minute, second, ms) - offsetOf(written);
  if (zone === 'UTC') return Date.UTC(year, month, day, hour, minute, second, ms);
  return new Date(year, month, day, hour, minute, second, ms).getTime();
}

/** Returns the offset of `Z`, `UTC`, `+02:00`, `GMT+1` in milliseconds. */
function offsetOf(zone: string): number {
  const found = /(?<sign>[+-])(?<h>\d{1,2}):?(?<min>\d{2})?$/.exec(zone)?.groups;
  if (!found) return 0;
  const minutes = Number(found['h']) * 60 + Number(found['min'] ?? 0);
  return (found['sign'] === '-' ? -1 : 1) * minutes * 60_000;
}

import { HOUR_MS, MINUTE_MS } from './durations.ts';

/** A time after that of any event. */
export const NO_END_MS = Date.UTC(9999, 0);

/** Returns the beginning of the minute of a time. */
export function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
}

/** Returns the beginning of the hour of a time. */
export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) * HOUR_MS;
}

/**
 * A date and time in ISO 8601: a date alone (midnight), or with hours and minutes, optional seconds and fraction, and
 * an optional zone; without one it is UTC, whatever the server's zone.
 */
const ISO_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Milliseconds since the epoch, or null if the text is no real instant. `Date` would turn 30 February into 2 March
 * and accepts extended years, which the database then refuses: here both are null.
 */
export function parseIsoTime(text: string): number | null {
  const match = ISO_TIME.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const millisecond = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const zoneMs = zoneOffsetMs(match[8] ?? 'Z');
  if (year < 1 || hour > 23 || minute > 59 || second > 59 || zoneMs === null) return null;

  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.setUTCHours(hour, minute, second, millisecond) - zoneMs;
}

function zoneOffsetMs(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}

let lastTimeMs = Number.NaN;
let lastText = '';

/** The one form in which times leave the service: UTC with milliseconds. */
export function isoTime(time: Date | number): string {
  const timeMs = Number(time);
  // Under load many events are received in the same millisecond.
  if (timeMs !== lastTimeMs) {
    lastText = new Date(timeMs).toISOString();
    lastTimeMs = timeMs;
  }
  return lastText;
}

import { MAX_KNOWN_USERS } from '../../../server/src/groups/limits.ts';
import { TIME_ZONE } from './time-zone.ts';

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const CLOCK_OPTIONS: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
  timeZone: TIME_ZONE,
};
const CLOCK = new Intl.DateTimeFormat('en-GB', CLOCK_OPTIONS);
const MINUTE = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: TIME_ZONE,
});
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: TIME_ZONE });
const EXACT = new Intl.DateTimeFormat('en-GB', {
  ...CLOCK_OPTIONS,
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZoneName: 'short',
});

export function formatCount(count: number): string {
  return NUMBER.format(count);
}

/** Formats 1,234,567 as 1.2M, for small spaces. */
export function formatCompact(count: number): string {
  return COMPACT.format(count);
}

/** Returns `12`, and `99+` above 99: for a badge, whose name or title has the exact number. */
export function formatBadge(count: number): string {
  return count > 99 ? '99+' : String(count);
}

/** Returns `1 event`, `1,234 events`. */
export function formatEvents(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'event' : 'events'}`;
}

/** Formats the users of a group, which are counted up to 1,000: `1,000+`. */
export function formatUsers(users: number): string {
  return users > MAX_KNOWN_USERS ? `${formatCount(MAX_KNOWN_USERS)}+` : formatCount(users);
}

/** Returns `21:14:38.412`, in the reader's time zone. */
export function formatClock(time: string | number): string {
  return CLOCK.format(new Date(time));
}

/** Returns `14:05`, in the reader's time zone. */
export function formatHourMinute(time: string | number): string {
  return MINUTE.format(new Date(time));
}

/** Returns `3 Nov, 14:05`, in the reader's time zone. */
export function formatMinute(time: string | number): string {
  return `${formatDay(time)}, ${formatHourMinute(time)}`;
}

/** Returns `3 Nov`, in the reader's time zone. */
export function formatDay(time: string | number): string {
  return DAY.format(new Date(time));
}

/** Returns date and time to the millisecond, with the reader's time zone. */
export function formatExactTime(time: string | number): string {
  return EXACT.format(new Date(time));
}

const UNITS = [
  ['s', 1_000, 60],
  ['min', 60_000, 60],
  ['h', 3_600_000, 24],
  ['d', 86_400_000, 365],
] as const;

/** Formats the age of a time in one unit: `now`, `12 s ago`, `3 d ago`. */
export function formatAgo(timeMs: number, nowMs: number): string {
  const agoMs = nowMs - timeMs;
  if (agoMs < 5_000) return 'now';
  for (const [unit, unitMs, limit] of UNITS) {
    const count = Math.floor(agoMs / unitMs);
    if (count < limit) return `${count} ${unit} ago`;
  }
  return `${Math.floor(agoMs / (365 * 86_400_000))} y ago`;
}

/** Formats a duration in its two largest units: `1 h 20 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.length === 0 ? '0 s' : shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

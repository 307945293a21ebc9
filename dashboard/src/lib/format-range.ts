import { DAY_MS } from './durations.ts';
import { TIME_ZONE } from './time-zone.ts';

/** Formats a range: `21:20 – 21:24` today; with the day and the year if they differ, and seconds if they are not zero. */
export function formatRange(fromMs: number, toMs: number, nowMs: number, zone = TIME_ZONE): string {
  const day = (timeMs: number) => format(timeMs, { day: 'numeric', month: 'short' }, zone);
  const year = (timeMs: number) => format(timeMs, { year: 'numeric' }, zone);
  const withSeconds = [fromMs, toMs].some((timeMs) => timeMs % 60_000 !== 0);
  const clock = (timeMs: number) =>
    format(
      timeMs,
      { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...(withSeconds && { second: '2-digit' }) },
      zone,
    );
  const dayAndYear = (timeMs: number) =>
    year(timeMs) === year(nowMs) ? day(timeMs) : `${day(timeMs)} ${year(timeMs)}`;
  const isMidnight = (timeMs: number) => clock(timeMs).startsWith('00:00') && timeMs % 60_000 === 0;
  if (isMidnight(fromMs) && isMidnight(toMs)) {
    const last = dayAndYear(toMs - 1);
    return toMs - fromMs <= 1.5 * DAY_MS ? last : `${dayAndYear(fromMs)} – ${last}`;
  }
  const isToday = dayAndYear(fromMs) === dayAndYear(nowMs);
  const from = isToday ? clock(fromMs) : `${dayAndYear(fromMs)}, ${clock(fromMs)}`;
  const sameDay = dayAndYear(fromMs) === dayAndYear(toMs);
  return `${from} – ${sameDay ? clock(toMs) : `${dayAndYear(toMs)}, ${clock(toMs)}`}`;
}

function format(timeMs: number, options: Intl.DateTimeFormatOptions, zone: 'UTC' | undefined): string {
  return new Date(timeMs).toLocaleString('en-GB', { ...options, ...(zone && { timeZone: zone }) });
}

import { HOUR_MS } from '../../platform/durations.ts';
import { nextDue, type Timetable } from '../../schedules/timetable.ts';
import type { QuietHours } from '../targets/quiet-hours.ts';
import type { Quiet } from './situation.ts';

/** Longer than any window of a day: one of 24 hours on the day that has 25. */
const MAX_WINDOW_MS = 26 * HOUR_MS;
/** Maximum consecutive windows without a break: six days of 24 hours, and one to spare. */
const MAX_FOLLOWING = 8;
/** Maximum deferral: a budget defers to the next morning, which may be quiet. */
export const MAX_DEFERRAL_MS = (MAX_FOLLOWING + 1) * MAX_WINDOW_MS;

/** A period of time that is quiet, or one that is not. */
export interface QuietPeriod {
  isQuiet: boolean;
  untilMs: number;
}

/**
 * Finds whether a time is quiet, and until when that lasts. A window goes from the first moment at which the clocks
 * of the zone reach `from` to the first one after it at which they reach `to`: a time that is skipped in spring is
 * the end of the gap, and an hour that comes twice in autumn counts once. Windows that touch each other are one.
 */
export function findQuietPeriod(quietHours: QuietHours, atMs: number): QuietPeriod {
  let untilMs = findWindowEnd(quietHours, atMs);
  if (untilMs === null) return { isQuiet: false, untilMs: findNextStart(quietHours, atMs) };
  for (let count = 1; count < MAX_FOLLOWING; count++) {
    const nextMs = findWindowEnd(quietHours, untilMs);
    if (nextMs === null) break;
    untilMs = nextMs;
  }
  return { isQuiet: true, untilMs };
}

/** The same for increasing times: each period is computed once. */
export function followQuietPeriods(quietHours: QuietHours): (atMs: number) => QuietPeriod {
  let last: (QuietPeriod & { fromMs: number }) | null = null;
  return (atMs) => {
    if (last === null || atMs < last.fromMs || atMs >= last.untilMs)
      last = { ...findQuietPeriod(quietHours, atMs), fromMs: atMs };
    return last;
  };
}

/** The part of a period that a plan for the target needs; null: it is not quiet. */
export function toQuiet({ minSeverity }: QuietHours, { isQuiet, untilMs }: QuietPeriod): Quiet | null {
  return isQuiet ? { untilMs, minSeverity } : null;
}

/** End of the window that is open at that time; null: none is. */
function findWindowEnd(quietHours: QuietHours, atMs: number): number | null {
  const begins = beginsOf(quietHours);
  const ends = dailyAt(quietHours.to, quietHours);
  for (
    let beginMs = nextDue(begins, atMs - MAX_WINDOW_MS);
    beginMs <= atMs;
    beginMs = nextDue(begins, beginMs)
  ) {
    // From the second before: both times may be the end of the same gap, and then the window is empty.
    const endMs = nextDue(ends, isWholeDay(quietHours) ? beginMs : beginMs - 1000);
    if (endMs > atMs) return endMs;
  }
  return null;
}

/** Start of the next window that is not empty. */
function findNextStart(quietHours: QuietHours, atMs: number): number {
  const begins = beginsOf(quietHours);
  let beginMs = nextDue(begins, atMs);
  for (let count = 1; count < MAX_FOLLOWING && findWindowEnd(quietHours, beginMs) === null; count++)
    beginMs = nextDue(begins, beginMs);
  return beginMs;
}

function isWholeDay({ from, to }: QuietHours): boolean {
  return from === '00:00' && to === '24:00';
}

function beginsOf(quietHours: QuietHours): Timetable {
  return dailyAt(quietHours.from, quietHours, quietHours.weekdays.join(','));
}

function dailyAt(time: string, { timeZone }: Pick<QuietHours, 'timeZone'>, weekdays = '*'): Timetable {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { cron: `${minute} ${hour % 24} * * ${weekdays}`, intervalSeconds: null, timeZone };
}

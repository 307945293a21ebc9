import { Cron } from 'croner';
import { MINUTE_MS } from '../platform/durations.ts';
import { isTimeZone } from '../platform/time-zone.ts';

/** Times at which a job is expected. Exactly one of `cron` and `intervalSeconds` is set. */
export interface Timetable {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron: string | null;
  /** Seconds from one check-in to the next. */
  intervalSeconds: number | null;
  /** IANA name of the zone of `cron`. */
  timeZone: string;
}

/**
 * Due time of a job whose timetable cannot be followed here: another version of Node may have stored a time zone that
 * this one does not know. It lies after all times, so that the job is not missed.
 */
export const UNKNOWN_DUE = new Date(Date.UTC(9999, 0, 1));

/**
 * Maximum time by which a check-in may come early: a clock slightly ahead of ours checks in for the run that is about
 * to be due.
 */
const MAX_EARLY_MS = MINUTE_MS;

/**
 * The first time after `afterMs` at which the job is expected; for a cron expression, by the wall clock of its zone:
 * if the hour is skipped in spring, the job is due right after the gap, and an hour that comes twice counts once.
 * @throws RangeError the expression has no next time (30 February)
 */
export function nextDue(timetable: Timetable, afterMs: number): number {
  if (timetable.intervalSeconds !== null) return afterMs + timetable.intervalSeconds * 1000;
  const next = parseCron(timetable).nextRun(new Date(afterMs));
  if (!next) throw new RangeError('The cron expression has no next time.');
  return next.getTime();
}

/**
 * When the job is expected after a check-in. One that comes shortly before its time stands for that time: at most a
 * minute, and a tenth of the period.
 * @returns `UNKNOWN_DUE` if the timetable cannot be followed: what a job reports is recorded all the same
 */
export function dueAfterCheckIn(timetable: Timetable, atMs: number): number {
  if (findFault(timetable, atMs)) return UNKNOWN_DUE.getTime();
  const next = nextDue(timetable, atMs);
  if (timetable.intervalSeconds !== null) return next;
  const following = nextDue(timetable, next);
  const early = Math.min(MAX_EARLY_MS, (following - next) / 10);
  return next - atMs <= early ? following : next;
}

/**
 * @returns the reason for which a timetable cannot be followed, as the continuation of the field's name; null: it can
 */
export function findFault(
  { cron, timeZone }: Timetable,
  nowMs: number,
): { field: 'cron' | 'timeZone'; fault: string } | null {
  if (!isTimeZone(timeZone)) {
    return { field: 'timeZone', fault: 'is no time zone that is known here, such as Europe/Berlin or UTC' };
  }
  if (cron === null) return null;
  try {
    const next = parseCron({ cron, timeZone }).nextRuns(1, new Date(nowMs));
    return next.length > 0 ? null : { field: 'cron', fault: 'never comes' };
  } catch {
    return { field: 'cron', fault: 'is no cron expression of five fields, such as 0 3 * * *' };
  }
}

function parseCron({ cron, timeZone }: Pick<Timetable, 'cron' | 'timeZone'>): Cron {
  if (cron === null) throw new RangeError('The schedule has no cron expression.');
  return new Cron(cron, { timezone: timeZone, paused: true, mode: '5-part' });
}

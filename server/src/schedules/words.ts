import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/durations.ts';
import { toWallClock } from '../platform/time-zone.ts';
import type { ScheduleRow } from './rows.ts';
import type { CheckInRecord } from './schedule-state.ts';

/** Title and reason of an incident, in the words of the last failure. Times are in the schedule's zone. */
export function describeFailure(
  { name, timeZone, lastCheckInAt, runs }: Pick<ScheduleRow, 'name' | 'timeZone' | 'lastCheckInAt' | 'runs'>,
  failure: Pick<CheckInRecord, 'status' | 'atMs' | 'dueMs' | 'runId'>,
): { title: string; sentence: string } {
  const time = (ms: number) => formatTime(ms, timeZone, failure.atMs);
  const last = lastCheckInAt
    ? ` Last check-in: ${time(lastCheckInAt.getTime())}.`
    : ' It has never checked in.';
  switch (failure.status) {
    case 'error':
      return {
        title: `${name} failed`,
        sentence: `${name} reported a failure at ${time(failure.atMs)} (${timeZone}).`,
      };
    case 'timed_out': {
      const run = runs.find(({ id }) => id === failure.runId) ?? runs[0];
      const lasted = run ? ` after ${formatDuration(failure.atMs - run.startMs)}` : '';
      const since = run ? ` started at ${time(run.startMs)} (${timeZone}) and` : '';
      return { title: `${name} didn’t finish`, sentence: `${name}${since} hasn’t finished${lasted}.` };
    }
    default: {
      const due = failure.dueMs === null ? '' : ` was due at ${time(failure.dueMs)} (${timeZone}) and`;
      return { title: `${name} didn’t check in`, sentence: `${name}${due} hasn’t checked in.${last}` };
    }
  }
}

/** Note with which the service resolves an incident. */
export function describeRecovery(name: string, successes: number): string {
  const times = successes > 1 ? ` ${successes} times in a row` : '';
  return `${name} succeeded${times}. Resolved automatically.`;
}

/** `03:00`, with its date if that is another day than today: `21 Nov 03:00`. */
function formatTime(ms: number, timeZone: string, nowMs: number): string {
  const { day, time } = toWallClock(ms, timeZone);
  return day === toWallClock(nowMs, timeZone).day ? time : `${day} ${time}`;
}

/** Formats a duration in its largest whole unit: `45 s`, `90 min`, `2 h`, `3 days`. */
function formatDuration(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${Math.round(ms / 1000)} s`;
  if (ms < 3 * HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  return ms < 3 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} days`;
}

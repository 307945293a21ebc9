import { HOUR_MS } from '../../platform/durations.ts';
import { nextDue } from '../../schedules/timetable.ts';

/** When what is beyond a budget is sent: people have begun to work by then. */
const DIGEST_HOUR = 9;
/** Between two of them: less than a day, which has 23 hours once a year. */
export const MIN_DIGEST_GAP_MS = 20 * HOUR_MS;

/** The next time, after this one, at which what is beyond a budget may be sent. */
export function nextDigestTime(timeZone: string, afterMs: number): number {
  return nextDue({ cron: `0 ${DIGEST_HOUR} * * *`, intervalSeconds: null, timeZone }, afterMs);
}

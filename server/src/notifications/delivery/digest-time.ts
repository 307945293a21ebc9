import { HOUR_MS } from '../../platform/durations.ts';
import { nextDue } from '../../schedules/timetable.ts';

/** Hour at which digests of messages beyond a budget are sent: people are at work by then. */
const DIGEST_HOUR = 9;
/** Minimum time between two digests: less than a day, which has 23 hours once a year. */
export const MIN_DIGEST_GAP_MS = 20 * HOUR_MS;

/** Returns the next time after `afterMs` at which messages beyond a budget may be sent. */
export function nextDigestTime(timeZone: string, afterMs: number): number {
  return nextDue({ cron: `0 ${DIGEST_HOUR} * * *`, intervalSeconds: null, timeZone }, afterMs);
}

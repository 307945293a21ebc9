const MORNING_HOUR = 9;

/**
 * Returns 9:00 of the next day in the reader's time zone, which need not be 24 hours after today's.
 * @param timeZone the reader's choice; undefined: the browser's
 */
export function tomorrowMorning(nowMs: number, timeZone: string | undefined): number {
  const date = new Date(nowMs);
  if (timeZone === 'UTC')
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1, MORNING_HOUR);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, MORNING_HOUR).getTime();
}

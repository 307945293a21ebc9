const MORNING_HOUR = 9;

/**
 * 9:00 of the next day, by the clock of the reader: it need not be 24 hours ahead of today's.
 * @param timeZone the one that the reader has chosen; undefined: the browser's
 */
export function tomorrowMorning(nowMs: number, timeZone: string | undefined): number {
  const date = new Date(nowMs);
  if (timeZone === 'UTC')
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1, MORNING_HOUR);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, MORNING_HOUR).getTime();
}

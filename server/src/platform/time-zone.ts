/** True if the runtime knows a time zone by this name (IANA). */
export function isTimeZone(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Formats a time as the clocks of a zone show it: `21 Nov` and `03:00`. */
export function toWallClock(ms: number, timeZone: string): { day: string; time: string } {
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' });
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return { day: day.format(ms), time: time.format(ms) };
}

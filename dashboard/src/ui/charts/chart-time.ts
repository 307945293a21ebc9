import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts';
import { TIME_ZONE } from '../../lib/time-zone.ts';

/** Time slot of a chart's bar. */
export interface TimeSlot {
  startMs: number;
  endMs: number;
}

/* All charts format times alike: 24 hours, with the day if it is not obvious. */
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: TIME_ZONE,
});
const CLOCK_WITH_SECONDS = new Intl.DateTimeFormat('en-GB', {
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: TIME_ZONE,
});
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: TIME_ZONE });

/** Returns the labels of a time axis: hours within a day, and the day where a new one begins. */
export function labelTimes(timesMs: number[], stepMs: number): string[] {
  const clock = stepMs < MINUTE_MS ? CLOCK_WITH_SECONDS : CLOCK;
  return timesMs.map((timeMs) => (stepMs >= DAY_MS || isMidnight(timeMs) ? DAY : clock).format(timeMs));
}

/** Formats a moment between two bars: `28 Jan, 14:05`. */
export function formatSlotTime(timeMs: number): string {
  return `${DAY.format(timeMs)}, ${CLOCK.format(timeMs)}`;
}

/** Formats a moment within a day to the second: `14:05:49`. */
export function formatSecond(timeMs: number): string {
  return CLOCK_WITH_SECONDS.format(timeMs);
}

/** Formats a moment beside another one, with the day if it differs: `14:05`, `28 Jan, 14:05`. */
export function formatTimeBeside(otherMs: number, timeMs: number): string {
  return DAY.format(otherMs) === DAY.format(timeMs) ? CLOCK.format(timeMs) : formatSlotTime(timeMs);
}

/** Formats the interval of a bar: `28 Jan, 14:05 – 14:10`. */
export function formatSlot({ startMs, endMs }: TimeSlot): string {
  const wholeDay = isMidnight(startMs) && endMs - startMs === DAY_MS;
  if (wholeDay) return DAY.format(startMs);
  return `${formatSlotTime(startMs)} – ${formatTimeBeside(startMs, endMs)}`;
}

function isMidnight(timeMs: number): boolean {
  return CLOCK_WITH_SECONDS.format(timeMs) === '00:00:00';
}

import type { GroupPatch } from '../../../lib/api-types.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/durations.ts';
import { texts } from '../texts.ts';

export interface MuteChoice {
  label: string;
  patch: GroupPatch;
}

const MORNING_HOUR = 9;

/** The usual ways to mute. @param timeZone the one that the reader has chosen; undefined: the browser's */
export function muteChoices(nowMs: number, timeZone: string | undefined): MuteChoice[] {
  const until = (label: string, untilMs: number): MuteChoice => ({
    label,
    patch: { state: 'muted', muteUntil: new Date(untilMs).toISOString() },
  });
  return [
    until(texts.mute.hours(1), nowMs + HOUR_MS),
    until(texts.mute.hours(4), nowMs + 4 * HOUR_MS),
    until(texts.mute.tomorrow, tomorrowMorning(nowMs, timeZone)),
    until(texts.mute.week, nowMs + 7 * DAY_MS),
    { label: texts.mute.forEver, patch: { state: 'muted' } },
  ];
}

/** 9:00 of the next day, by the clock of the reader: it need not be 24 hours ahead of today's. */
export function tomorrowMorning(nowMs: number, timeZone: string | undefined): number {
  const date = new Date(nowMs);
  if (timeZone === 'UTC')
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1, MORNING_HOUR);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, MORNING_HOUR).getTime();
}

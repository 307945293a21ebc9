import type { GroupPatch } from '../../../lib/api-types.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/durations.ts';
import { tomorrowMorning } from '../../../lib/tomorrow-morning.ts';
import { texts } from '../texts.ts';

export interface MuteChoice {
  label: string;
  patch: GroupPatch;
}

/** Returns the usual ways to mute. @param timeZone the reader's choice; undefined: the browser's */
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

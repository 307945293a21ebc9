import { DAY_MS } from '../../platform/durations.ts';
import { toWallClock } from '../../platform/time-zone.ts';
import type { TargetRow } from '../targets/target.ts';
import type { Deferral } from './situation.ts';

/** Time zone of a target's days: that of its quiet hours, else UTC. */
export function zoneOf({ quietHours }: Pick<TargetRow, 'quietHours'>): string {
  return quietHours?.timeZone ?? 'UTC';
}

/** “Held by quiet hours until 07:00 Europe/Berlin.”, with the date if that is a day or more away. */
export function describeDeferral(
  { by, untilMs }: { by: Deferral; untilMs: number },
  timeZone: string,
  nowMs: number,
): string {
  const { day, time } = toWallClock(untilMs, timeZone);
  const until = `${untilMs - nowMs < DAY_MS ? time : `${day} ${time}`} ${timeZone}`;
  return by === 'quiet_hours'
    ? `Held by quiet hours until ${until}.`
    : `Over the route’s weekly limit. It comes in the digest at ${until}.`;
}

import { DAY_MS } from '../state/durations.ts';
import { modulo } from '../state/modulo.ts';
import { HALF_HOUR_MS, HALF_HOURS, type HeartbeatState } from './heartbeat-state.ts';

/** Codes of the half hours; 0: not known. */
const SILENT = 1;
const ALIVE = 2;

/**
 * Advances the calendar of silent half hours to a time. A half hour is written when the next but one begins, so that those
 * around the current one still hold last week.
 */
export function advanceTo(quiet: HeartbeatState, timeMs: number): void {
  const halfHour = Math.floor(timeMs / HALF_HOUR_MS);
  if (quiet.currentHalfHour === 0 || halfHour - quiet.currentHalfHour > HALF_HOURS) {
    quiet.currentHalfHour = halfHour;
    quiet.hadEvents = true;
    return;
  }
  for (; quiet.currentHalfHour < halfHour; quiet.currentHalfHour++) {
    const before = (quiet.currentHalfHour + HALF_HOURS - 1) % HALF_HOURS;
    quiet.setHalfHour(before, quiet.hadEvents ? ALIVE : SILENT);
    quiet.hadEvents = quiet.hasEvents;
    quiet.hasEvents = false;
  }
}

/** Leaves the code of the running half hour as it was: if it was silent last week and no event comes, it stays silent. */
export function keepHalfHour(quiet: HeartbeatState): void {
  if (quiet.halfHour(quiet.currentHalfHour % HALF_HOURS) !== SILENT) quiet.hasEvents = true;
}

/**
 * True if the sender was silent at this time last week, or next to it; where nothing is known of last week, yesterday.
 * @param reach half hours on both sides that have to be silent as well, since a rare sender is silent in most
 */
export function isQuietHour(quiet: HeartbeatState, reach: number): boolean {
  for (let near = -1; near <= 1; near++) {
    const halfHour = quiet.currentHalfHour + near;
    const isUnknown = quiet.halfHour(halfHour % HALF_HOURS) === 0;
    if (wasSilent(quiet, halfHour - (isUnknown ? DAY_MS / HALF_HOUR_MS : 0), reach)) return true;
  }
  return false;
}

function wasSilent(quiet: HeartbeatState, around: number, reach: number): boolean {
  for (let offset = -reach; offset <= reach; offset++) {
    if (quiet.halfHour(modulo(around + offset, HALF_HOURS)) !== SILENT) return false;
  }
  return true;
}

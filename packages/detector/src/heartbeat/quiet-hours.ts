import { modulo } from '../state/modulo.ts';

const HALF_HOUR_MS = 30 * 60_000;
export const HALF_HOURS = 336;
const HALF_HOURS_PER_DAY = 48;

/** Codes of the half hours; 0: not known. */
const SILENT = 1;
const ALIVE = 2;

/**
 * The half hours of the week in which a sender was silent. A half hour is written when the next but one begins, so
 * that those around the current one still hold last week.
 */
export interface QuietHours {
  halfHour: (index: number) => number;
  setHalfHour: (index: number, code: number) => void;
  /** Number of the half hour that runs since 1970; 0 before the first. */
  currentHalfHour: number;
  /** Whether events came in it, and in the one before. */
  hasEvents: boolean;
  hadEvents: boolean;
}

/** Advances the calendar to a time. */
export function advanceTo(quiet: QuietHours, timeMs: number): void {
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

/** The half hour that runs says nothing of its kind: if it was silent last week and no event comes, it stays silent. */
export function keepHalfHour(quiet: QuietHours): void {
  if (quiet.halfHour(quiet.currentHalfHour % HALF_HOURS) !== SILENT) quiet.hasEvents = true;
}

/**
 * Whether the sender was silent at this time last week, or next to it; where nothing is known of last week, yesterday.
 * @param reach half hours on both sides that have to be silent as well: a rare sender is silent in most half hours
 */
export function isQuietHour(quiet: QuietHours, reach: number): boolean {
  for (let near = -1; near <= 1; near++) {
    const halfHour = quiet.currentHalfHour + near;
    const isUnknown = quiet.halfHour(halfHour % HALF_HOURS) === 0;
    if (wasSilent(quiet, halfHour - (isUnknown ? HALF_HOURS_PER_DAY : 0), reach)) return true;
  }
  return false;
}

function wasSilent(quiet: QuietHours, around: number, reach: number): boolean {
  for (let offset = -reach; offset <= reach; offset++) {
    if (quiet.halfHour(modulo(around + offset, HALF_HOURS)) !== SILENT) return false;
  }
  return true;
}

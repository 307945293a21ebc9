const HALF_HOUR_MS = 30 * 60_000;
const HALF_HOURS = 336;
const HALF_HOURS_A_DAY = 48;

/** What a half hour of the week was: not known, silent, or not. */
const SILENT = 1;
const ALIVE = 2;

/**
 * The half hours of the week in which a sender was silent. A half hour is written when the next but one begins, so
 * that those around the present still hold last week.
 */
export interface Pauses {
  halfHours: Uint8Array;
  /** Number of the half hour that runs since 1970; 0 before the first. */
  present: number;
  isAlive: boolean;
  wasAlive: boolean;
}

export function createPauses(): Pauses {
  return { halfHours: new Uint8Array(HALF_HOURS), present: 0, isAlive: false, wasAlive: false };
}

/** Brings the calendar to a time. */
export function turnTo(pauses: Pauses, timeMs: number): void {
  const halfHour = Math.floor(timeMs / HALF_HOUR_MS);
  if (pauses.present === 0 || halfHour - pauses.present > HALF_HOURS) {
    pauses.present = halfHour;
    pauses.wasAlive = true;
    return;
  }
  for (; pauses.present < halfHour; pauses.present++) {
    pauses.halfHours[(pauses.present + HALF_HOURS - 1) % HALF_HOURS] = pauses.wasAlive ? ALIVE : SILENT;
    pauses.wasAlive = pauses.isAlive;
    pauses.isAlive = false;
  }
}

/**
 * Whether the sender paused at this time last week, or next to it. While nothing is known of last week, yesterday
 * speaks for it.
 * @param reach half hours on both sides that have to have been silent: a rare sender is silent in most
 */
export function isPause(pauses: Pauses, reach: number): boolean {
  for (let near = -1; near <= 1; near++) {
    const halfHour = pauses.present + near;
    const lastWeek = pauses.halfHours[halfHour % HALF_HOURS] as number;
    const back = lastWeek === 0 ? HALF_HOURS_A_DAY : 0;
    if (wasSilent(pauses, halfHour - back, reach)) return true;
  }
  return false;
}

function wasSilent({ halfHours }: Pauses, around: number, reach: number): boolean {
  for (let offset = -reach; offset <= reach; offset++) {
    if (halfHours[(around + offset + HALF_HOURS) % HALF_HOURS] !== SILENT) return false;
  }
  return true;
}

import { MINUTES_A_DAY, MINUTES_A_WEEK, type Pace } from '../state/resolution.ts';
import { AT, DOWN, type Side, UP } from '../state/series-state.ts';

/** Why a series that looks unusual does not open. */
type Reservation = 'small-effect' | 'hour-of-week';

/** What changed about a series. `recovers`: the way back from an alarm of the other side, which is none. */
export type Change =
  | ({ kind: 'opens' } & Sighting)
  | ({ kind: 'recovers' } & Sighting)
  | ({ kind: 'reserved'; reservation: Reservation } & Sighting)
  | { kind: 'closes'; side: Side };

export interface Sighting {
  side: Side;
  /** Index among the windows of the pace. */
  window: number;
  /** Steps of the window whose count is known. */
  knownSteps: number;
  observed: number;
  /** In the window. */
  expected: number;
  evidence: number;
  /** The evidence from which an incident opens. */
  opening: number;
}

export const IDLE = 0;
const OPEN = 1;
export const RECOVERY = 2;

const QUIET_MINUTES = [60, 10] as const;
/** An outage is not the new normal before. */
const OUTAGE_MINUTES = MINUTES_A_DAY;
const OUTAGE_RATIO = 0.1;
/** For so long the way back from an alarm is none, unless it leads beyond what was before by this factor. */
const RECOVERY_MINUTES = MINUTES_A_WEEK;
const RECOVERY_FACTOR = 2;

export const NONE: Change[] = [];
const REMARKS: readonly (Reservation | null)[] = [null, 'small-effect', 'hour-of-week'];
/** What judging a side has brought. */
export interface Outcome {
  found: Change | null;
  isHeld: boolean;
  isUnusual: boolean;
  stepEnded: boolean;
}

/** Brings the state of a side up to date with what was found, and says what is new about it. */
export function settle(numbers: Float32Array, pace: Pace, side: Side, outcome: Outcome): Change[] {
  const { found, isHeld, isUnusual, stepEnded } = outcome;
  const status = numbers[AT.status + side] as number;
  if (found && found.kind !== 'reserved' && found.kind !== 'closes') {
    numbers[AT.quietSteps + side] = 0;
    if (found.kind === 'recovers' && status === RECOVERY) return NONE;
    numbers[AT.status + side] = found.kind === 'opens' ? OPEN : RECOVERY;
    numbers[AT.openedAge + side] = numbers[AT.age] as number;
    if (found.kind === 'opens') numbers[AT.before + side] = found.expected / found.knownSteps;
    return [found];
  }
  if (status !== IDLE) return stepEnded ? hold(numbers, pace, side, isHeld) : NONE;
  return found?.kind === 'reserved' ? remark(numbers, side, found) : forget(numbers, side, isUnusual);
}

function hold(numbers: Float32Array, pace: Pace, side: Side, isHeld: boolean): Change[] {
  const quietSteps = isHeld ? 0 : (numbers[AT.quietSteps + side] as number) + 1;
  numbers[AT.quietSteps + side] = quietSteps;
  if (quietSteps * pace.stepMinutes < QUIET_MINUTES[side]) return NONE;
  const wasOpen = numbers[AT.status + side] === OPEN;
  numbers[AT.status + side] = IDLE;
  if (!wasOpen) return NONE;
  numbers[AT.closedAge + side] = numbers[AT.age] as number;
  return [{ kind: 'closes', side }];
}

function remark(numbers: Float32Array, side: Side, found: Change & { kind: 'reserved' }): Change[] {
  const index = REMARKS.indexOf(found.reservation);
  if (numbers[AT.remark + side] === index) return NONE;
  numbers[AT.remark + side] = index;
  return [found];
}

function forget(numbers: Float32Array, side: Side, isUnusual: boolean): Change[] {
  if (!isUnusual) numbers[AT.remark + side] = 0;
  return NONE;
}

/** Inside an open drop, while as good as nothing comes, nothing is learned for a day. */
export function isLastingOutage(numbers: Float32Array, pace: Pace, count: number): boolean {
  if (numbers[AT.status + DOWN] !== OPEN) return false;
  return (
    minutesSinceOpening(numbers, pace, DOWN) < OUTAGE_MINUTES &&
    count <= OUTAGE_RATIO * (numbers[AT.level] as number)
  );
}

export function minutesSinceOpening(numbers: Float32Array, pace: Pace, side: Side): number {
  return ((numbers[AT.age] as number) - (numbers[AT.openedAge + side] as number)) * pace.stepMinutes;
}

/** Whether it leads from an alarm of the other side, open or not long ago, towards what was before it. */
export function isWayBack(
  numbers: Float32Array,
  pace: Pace,
  { side, observed, expected, knownSteps }: Sighting,
): boolean {
  const other = side === UP ? DOWN : UP;
  const before = numbers[AT.before + other] as number;
  if (before === 0) return false;
  if (numbers[AT.status + other] !== OPEN) {
    const minutes =
      ((numbers[AT.age] as number) - (numbers[AT.closedAge + other] as number)) * pace.stepMinutes;
    if (minutes > RECOVERY_MINUTES) return false;
  }
  const rate = observed / knownSteps;
  const from = expected / knownSteps;
  if (side === UP) return from < before && rate <= RECOVERY_FACTOR * before;
  return from > before && rate >= before / RECOVERY_FACTOR;
}

export function isOpen(numbers: Float32Array, side: Side): boolean {
  return numbers[AT.status + side] === OPEN;
}

/** Neither an open alarm nor the way back from one. */
export function isIdle(numbers: Float32Array, side: Side): boolean {
  return numbers[AT.status + side] === IDLE;
}

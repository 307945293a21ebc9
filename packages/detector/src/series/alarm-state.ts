import { MINUTES_PER_DAY, MINUTES_PER_WEEK, type Resolution } from '../state/resolution.ts';
import { AT, DOWN, type Side, UP } from '../state/series-state.ts';

/** Why a series that looks unusual does not open. */
type SuppressionReason = 'small-effect' | 'hour-of-week';

/** What changed about a series. `recovers`: the way back from an alarm of the other side, which is none. */
export type AlarmChange =
  | ({ kind: 'opens' } & Exceedance)
  | ({ kind: 'recovers' } & Exceedance)
  | ({ kind: 'suppressed'; reason: SuppressionReason } & Exceedance)
  | { kind: 'closes'; side: Side };

export interface Exceedance {
  side: Side;
  /** Index among the windows of the resolution. */
  window: number;
  /** Steps of the window whose count is known. */
  knownSteps: number;
  observed: number;
  /** In the window. */
  expected: number;
  evidence: number;
  /** The evidence from which an incident opens. */
  openThreshold: number;
}

export const IDLE = 0;
const OPEN = 1;
export const RECOVERY = 2;

const QUIET_MINUTES = [60, 10] as const;
/** An outage is not the new normal before. */
const OUTAGE_MINUTES = MINUTES_PER_DAY;
const OUTAGE_RATIO = 0.1;
/** For so long the way back from an alarm is none, unless it leads beyond what was before by this factor. */
const RECOVERY_MINUTES = MINUTES_PER_WEEK;
const RECOVERY_FACTOR = 2;

export const NO_CHANGES: AlarmChange[] = [];
const REPORTED_REASONS: readonly (SuppressionReason | null)[] = [null, 'small-effect', 'hour-of-week'];
/** What judging a side has brought. */
export interface SideEvaluation {
  candidate: AlarmChange | null;
  isHeld: boolean;
  isUnusual: boolean;
  stepEnded: boolean;
}

/** Brings the state of a side up to date with what was candidate, and says what is new about it. */
export function updateAlarm(
  numbers: Float32Array,
  resolution: Resolution,
  side: Side,
  outcome: SideEvaluation,
): AlarmChange[] {
  const { candidate, isHeld, isUnusual, stepEnded } = outcome;
  const status = numbers[AT.status + side] as number;
  if (candidate && candidate.kind !== 'suppressed' && candidate.kind !== 'closes') {
    numbers[AT.quietSteps + side] = 0;
    if (candidate.kind === 'recovers' && status === RECOVERY) return NO_CHANGES;
    numbers[AT.status + side] = candidate.kind === 'opens' ? OPEN : RECOVERY;
    numbers[AT.openedAge + side] = numbers[AT.age] as number;
    if (candidate.kind === 'opens')
      numbers[AT.levelBefore + side] = candidate.expected / candidate.knownSteps;
    return [candidate];
  }
  if (status !== IDLE) return stepEnded ? holdAlarm(numbers, resolution, side, isHeld) : NO_CHANGES;
  return candidate?.kind === 'suppressed'
    ? reportSuppression(numbers, side, candidate)
    : clearReported(numbers, side, isUnusual);
}

function holdAlarm(
  numbers: Float32Array,
  resolution: Resolution,
  side: Side,
  isHeld: boolean,
): AlarmChange[] {
  const quietSteps = isHeld ? 0 : (numbers[AT.quietSteps + side] as number) + 1;
  numbers[AT.quietSteps + side] = quietSteps;
  if (quietSteps * resolution.stepMinutes < QUIET_MINUTES[side]) return NO_CHANGES;
  const wasOpen = numbers[AT.status + side] === OPEN;
  numbers[AT.status + side] = IDLE;
  if (!wasOpen) return NO_CHANGES;
  numbers[AT.closedAge + side] = numbers[AT.age] as number;
  return [{ kind: 'closes', side }];
}

function reportSuppression(
  numbers: Float32Array,
  side: Side,
  candidate: AlarmChange & { kind: 'suppressed' },
): AlarmChange[] {
  const index = REPORTED_REASONS.indexOf(candidate.reason);
  if (numbers[AT.lastReportedReason + side] === index) return NO_CHANGES;
  numbers[AT.lastReportedReason + side] = index;
  return [candidate];
}

function clearReported(numbers: Float32Array, side: Side, isUnusual: boolean): AlarmChange[] {
  if (!isUnusual) numbers[AT.lastReportedReason + side] = 0;
  return NO_CHANGES;
}

/** Inside an open drop, while as good as nothing comes, nothing is learned for a day. */
export function isLastingOutage(numbers: Float32Array, resolution: Resolution, count: number): boolean {
  if (numbers[AT.status + DOWN] !== OPEN) return false;
  return (
    minutesSinceOpening(numbers, resolution, DOWN) < OUTAGE_MINUTES &&
    count <= OUTAGE_RATIO * (numbers[AT.level] as number)
  );
}

export function minutesSinceOpening(numbers: Float32Array, resolution: Resolution, side: Side): number {
  return ((numbers[AT.age] as number) - (numbers[AT.openedAge + side] as number)) * resolution.stepMinutes;
}

/** Whether it leads from an alarm of the other side, open or not long ago, towards what was before it. */
export function isRecovery(
  numbers: Float32Array,
  resolution: Resolution,
  { side, observed, expected, knownSteps }: Exceedance,
): boolean {
  const other = side === UP ? DOWN : UP;
  const before = numbers[AT.levelBefore + other] as number;
  if (before === 0) return false;
  if (numbers[AT.status + other] !== OPEN) {
    const minutes =
      ((numbers[AT.age] as number) - (numbers[AT.closedAge + other] as number)) * resolution.stepMinutes;
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

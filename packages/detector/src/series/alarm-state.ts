import { MINUTES_PER_DAY, MINUTES_PER_WEEK, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';

/** Reason for which evidence above the open threshold opens no alarm. */
type SuppressionReason = 'small-effect' | 'hour-of-week';

/** Change of one side of a series. `recovers`: the way back from an alarm of the other side, not an alarm. */
export type AlarmChange =
  | ({ kind: 'opens' } & Exceedance)
  | ({ kind: 'recovers' } & Exceedance)
  | ({ kind: 'suppressed'; reason: SuppressionReason } & Exceedance)
  | { kind: 'closes'; side: Side };

/** A window whose evidence exceeds its open threshold. */
export interface Exceedance {
  side: Side;
  /** Index among the windows of the resolution. */
  window: number;
  /** Steps of the window whose count is known. */
  knownSteps: number;
  observed: number;
  /** Expected events of the window. */
  expected: number;
  evidence: number;
  openThreshold: number;
  /** Season that the expectation follows, where the level alone would be clearly off. */
  season?: 'day' | 'week';
  /** Steps of the excess of an alarm, whose counts these are: see `excessOf`. Missing: not an alarm. */
  steps?: number;
  /** See `findUnseen`. Missing: not an alarm, or not known. */
  unseenMinutes?: number;
  filledMinutes?: number;
}

/** States of the alarm of one side. */
export const IDLE = 0;
export const OPEN = 1;
/** The series returns from an alarm of the other side, for which nothing opens. */
export const RECOVERY = 2;

const QUIET_MINUTES = [60, 10] as const;
/** A rise is quieter at one time of the day than at another, and so for one coarse step. */
const MIN_QUIET_COARSE_STEPS = 2;
/** Age at which an outage becomes the new normal. */
export const OUTAGE_MINUTES = MINUTES_PER_DAY;
const OUTAGE_RATIO = 0.1;
/** A return from an alarm is a recovery for so long, unless it exceeds the level before by this factor. */
export const RECOVERY_MINUTES = MINUTES_PER_WEEK;
export const RECOVERY_FACTOR = 2;

export const NO_CHANGES: AlarmChange[] = [];
/** Suppression reasons by the index that the state holds. */
const REPORTED_REASONS: readonly (SuppressionReason | null)[] = [null, 'small-effect', 'hour-of-week'];

/** Result of the evaluation of a side. */
export interface SideEvaluation {
  /** Strongest exceedance. */
  candidate: AlarmChange | null;
  /** True if an open alarm is held. */
  isHeld: boolean;
  /** True if any evidence is above its hold threshold. */
  isUnusual: boolean;
  stepEnded: boolean;
}

/** Brings the alarm of a side up to date with its evaluation. @returns its changes */
export function updateAlarm(
  state: SeriesState,
  resolution: Resolution,
  side: Side,
  evaluation: SideEvaluation,
): AlarmChange[] {
  const { candidate, isHeld, isUnusual, stepEnded } = evaluation;
  const status = state.status(side);
  if (candidate && candidate.kind !== 'suppressed' && candidate.kind !== 'closes') {
    state.setQuietSteps(side, 0);
    if (candidate.kind === 'recovers' && status === RECOVERY) return NO_CHANGES;
    state.setStatus(side, candidate.kind === 'opens' ? OPEN : RECOVERY);
    state.setOpenedAge(side, state.age);
    if (candidate.kind === 'opens') state.setLevelBefore(side, candidate.expected / candidate.knownSteps);
    return [candidate];
  }
  if (status !== IDLE) return stepEnded ? holdOrClose(state, resolution, side, isHeld) : NO_CHANGES;
  if (candidate?.kind === 'suppressed') return reportSuppression(state, side, candidate);
  if (!isUnusual && state.reportedReason(side) !== 0) state.setReportedReason(side, 0);
  return NO_CHANGES;
}

function holdOrClose(state: SeriesState, resolution: Resolution, side: Side, isHeld: boolean): AlarmChange[] {
  const quietSteps = isHeld ? 0 : state.quietSteps(side) + 1;
  state.setQuietSteps(side, quietSteps);
  if (quietSteps < quietStepsOf(resolution, side)) return NO_CHANGES;
  const wasOpen = isOpen(state, side);
  state.setStatus(side, IDLE);
  if (!wasOpen) return NO_CHANGES;
  state.setClosedAge(side, state.age);
  // The reported events lie in windows of up to a day and a half: one more event must not open them again.
  if (resolution.isCoarse) state.forgetCounts();
  return [{ kind: 'closes', side }];
}

/** Undoes the opening of an alarm that is reported elsewhere: the next step is evaluated by itself. */
export function withdrawAlarm(state: SeriesState, side: Side): void {
  state.setStatus(side, IDLE);
  state.setQuietSteps(side, 0);
  state.setLevelBefore(side, 0);
}

/** Returns the steps without anything unusual after which an alarm closes. */
export function quietStepsOf({ stepMinutes, isCoarse }: Resolution, side: Side): number {
  const steps = Math.ceil(QUIET_MINUTES[side] / stepMinutes);
  return isCoarse && side === UP ? Math.max(MIN_QUIET_COARSE_STEPS, steps) : steps;
}

function reportSuppression(
  state: SeriesState,
  side: Side,
  suppressed: AlarmChange & { kind: 'suppressed' },
): AlarmChange[] {
  const index = REPORTED_REASONS.indexOf(suppressed.reason);
  if (state.reportedReason(side) === index) return NO_CHANGES;
  state.setReportedReason(side, index);
  return [suppressed];
}

/** True in the first day of an open drop, while next to nothing comes: nothing is learned from it. */
export function isLastingOutage(
  state: SeriesState,
  resolution: Resolution,
  count: number,
  level: number,
): boolean {
  if (!isOpen(state, DOWN)) return false;
  return minutesSinceOpening(state, resolution, DOWN) < OUTAGE_MINUTES && count <= OUTAGE_RATIO * level;
}

/** True in the first day of an open rise of coarse steps: the level stays the one before it. */
export function isLastingRise(state: SeriesState, resolution: Resolution): boolean {
  return (
    resolution.isCoarse && isOpen(state, UP) && minutesSinceOpening(state, resolution, UP) < MINUTES_PER_DAY
  );
}

export function minutesSinceOpening(state: SeriesState, resolution: Resolution, side: Side): number {
  return (state.age - state.openedAge(side)) * resolution.stepMinutes;
}

/** True if an exceedance leads from an alarm of the other side, open or closed not long ago, towards the level before it. */
export function isRecovery(
  state: SeriesState,
  resolution: Resolution,
  { side, observed, expected, knownSteps }: Exceedance,
): boolean {
  const other = side === UP ? DOWN : UP;
  const before = state.levelBefore(other);
  if (before === 0) return false;
  if (!isOpen(state, other)) {
    const minutes = (state.age - state.closedAge(other)) * resolution.stepMinutes;
    if (minutes > RECOVERY_MINUTES) return false;
  }
  const rate = observed / knownSteps;
  const from = expected / knownSteps;
  if (side === UP) return from < before && rate <= RECOVERY_FACTOR * before;
  return from > before && rate >= before / RECOVERY_FACTOR;
}

export function isOpen(state: SeriesState, side: Side): boolean {
  return state.status(side) === OPEN;
}

/** True if a side has neither an open alarm nor a recovery. */
export function isIdle(state: SeriesState, side: Side): boolean {
  return state.status(side) === IDLE;
}

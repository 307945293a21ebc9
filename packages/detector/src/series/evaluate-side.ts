import { MINUTES_PER_DAY, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import {
  type AlarmChange,
  isOpen,
  isRecovery,
  minutesSinceOpening,
  quietStepsOf,
  type SideEvaluation,
  updateAlarm,
} from './alarm-state.ts';
import { classify, evidenceOf, expectedRate } from './classify.ts';
import { isHeldDrop, isHeldRise, mostEvidenceDown, mostEvidenceUp } from './evidence.ts';
import { excessOf } from './excess.ts';
import { findMissingActivity } from './missing-activity.ts';
import { findUnseen } from './unseen.ts';
import type { WindowCounts } from './windows.ts';
import type { PartialContext, Workspace } from './workspace.ts';

/** Side of the windows that end with a step. */
interface EvaluatedSide {
  side: Side;
  stepEnded: boolean;
  /** True if the first window is the last time as long as a step, not the running step. */
  slides: boolean;
  /** True if its evidence is no part of the block maxima. */
  isUnlearned: boolean;
}

export const ENDED_RISE: EvaluatedSide = { side: UP, stepEnded: true, slides: false, isUnlearned: false };
export const ENDED_DROP: EvaluatedSide = { side: DOWN, stepEnded: true, slides: false, isUnlearned: false };
export const RUNNING_RISE: EvaluatedSide = { side: UP, stepEnded: false, slides: false, isUnlearned: false };
export const SLIDING_RISE: EvaluatedSide = { side: UP, stepEnded: false, slides: true, isUnlearned: false };
export const UNLEARNED_RISE: EvaluatedSide = { ...ENDED_RISE, isUnlearned: true };
export const UNLEARNED_DROP: EvaluatedSide = { ...ENDED_DROP, isUnlearned: true };

/** Evaluates the windows of a side, which the workspace holds, with the rates that the time of day makes normal. */
export function evaluateSide(
  state: SeriesState,
  context: PartialContext,
  evaluated: EvaluatedSide,
  workspace: Workspace,
): AlarmChange[] {
  const { resolution } = context;
  const { side } = evaluated;
  const evaluation = evaluateWindows(state, context, evaluated, workspace);
  const { windows, bandRates } = workspace;
  if (side === DOWN && resolution.isCoarse)
    evaluation.isHeld ||= isLastingSilence(state, resolution, windows);
  else if (side === DOWN) {
    const rate = expectedRate(DOWN, state.level, bandRates[DOWN] as number);
    const missing = findMissingActivity(state, context, windows, rate);
    evaluation.isHeld ||= missing.isHeld;
    const { candidate } = evaluation;
    if (missing.exceedance && (!candidate || candidate.kind === 'suppressed')) {
      const isReturn = isRecovery(state, resolution, missing.exceedance);
      evaluation.candidate = { kind: isReturn ? 'recovers' : 'opens', ...missing.exceedance };
    }
  }
  const { candidate } = evaluation;
  if (candidate?.kind === 'opens')
    evaluation.candidate = { ...candidate, ...excessOf(state, resolution, windows, candidate) };
  const changes = updateAlarm(state, resolution, side, evaluation);
  if (changes.some(({ kind }) => kind === 'closes')) forgetReturned(state, resolution, side, windows);
  return changes;
}

/** Forgets the level before an alarm once counts are as before: a later change to the other side is no return from it. */
function forgetReturned(state: SeriesState, resolution: Resolution, side: Side, windows: WindowCounts): void {
  const window = resolution.windows.findLastIndex((steps) => steps <= quietStepsOf(resolution, side));
  const [observed, known] = [windows.observed[window] as number, windows.known[window] as number];
  const before = known * state.levelBefore(side);
  const isUnusual = side === UP ? isHeldRise(observed, before) : isHeldDrop(observed, before);
  if (known > 0 && !isUnusual) state.setLevelBefore(side, 0);
}

/** Evaluates the windows of a side, and takes their evidence into the block that runs. */
export function evaluateWindows(
  state: SeriesState,
  context: PartialContext,
  { side, stepEnded, slides, isUnlearned }: EvaluatedSide,
  { windows, day, bandRates }: Workspace,
): SideEvaluation {
  const { resolution } = context;
  const { dispersion } = state;
  const bandRate = bandRates[side] as number; // there is one for each side
  const evaluation: SideEvaluation = { candidate: null, isHeld: false, isUnusual: false, stepEnded };
  let candidateExcess = 0;
  for (let window = 0; window < resolution.windows.length; window++) {
    const knownSteps = windows.known[window] as number; // window is below the number of windows
    if (knownSteps === 0 || (side === DOWN && !mayEvaluateDrop(state, resolution, window))) continue;
    const observed = windows.observed[window] as number;
    const expected = knownSteps * expectedRate(side, windows.level[window] as number, bandRate);
    // No evidence.
    if (side === UP ? observed <= expected : observed >= expected) continue;
    const isOfBlock = !isUnlearned && (stepEnded || (slides && window === 0));
    const [holdThreshold, maximum] = [state.holdThreshold(side, window), state.blockMaximum(side, window)];
    const most =
      side === UP ? mostEvidenceUp(observed, expected, dispersion) : mostEvidenceDown(observed, expected);
    // Evidence up to here is noticed neither by the block nor by an alarm: mostly, none is computed.
    if (most <= (isOfBlock ? Math.min(maximum, holdThreshold) : holdThreshold)) continue;
    const evidence = evidenceOf(state, windows, { side, window }, expected);
    if (isOfBlock && evidence > maximum) state.setBlockMaximum(side, window, evidence);
    if (evidence <= holdThreshold) continue;
    evaluation.isUnusual = true;
    const isOngoing = !resolution.isCoarse || isUnusualStep(side, bandRate, windows);
    evaluation.isHeld ||= (isOngoing || isStillEmpty(side, windows)) && isHeldBy(side, observed, expected);
    if (resolution.isCoarse && side === UP)
      evaluation.isHeld ||= isHeldRise(
        windows.observed[0] as number,
        (windows.meanLevel[0] as number) * day.step,
      );
    const openThreshold = state.openThreshold(side, window);
    const excess = evidence / openThreshold;
    if (evidence <= openThreshold || !isOngoing || excess <= candidateExcess || isOpen(state, side)) continue;
    const exceedance = { side, window, knownSteps, observed, expected, evidence, openThreshold };
    const change = classify(state, context, exceedance, windows);
    const { candidate } = evaluation;
    if (candidate && candidate.kind !== 'suppressed' && change.kind === 'suppressed') continue;
    evaluation.candidate = change;
    candidateExcess = excess;
  }
  const { candidate } = evaluation;
  if (candidate?.kind === 'opens')
    evaluation.candidate = { ...candidate, ...findUnseen(state, resolution, candidate) };
  return evaluation;
}

/**
 * True if the newest step is unusual by itself. Windows of coarse steps span up to a day and a half: trouble that was over long
 * ago neither opens an alarm nor holds one.
 */
function isUnusualStep(side: Side, bandRate: number, { observed, level }: WindowCounts): boolean {
  // The first window is the newest step.
  const [count, levelBefore] = [observed[0] as number, level[0] as number];
  return isHeldBy(side, count, expectedRate(side, levelBefore, bandRate));
}

/**
 * True if nothing has come in the newest step of an open drop, for a day at most. The windows of coarse steps are compared
 * with the hour at which they end: by night next to nothing is expected of all of a day and a half, but a silence is not
 * over, and would be another incident in the morning.
 */
function isLastingSilence(state: SeriesState, resolution: Resolution, windows: WindowCounts): boolean {
  return isStillEmpty(DOWN, windows) && minutesSinceOpening(state, resolution, DOWN) < MINUTES_PER_DAY;
}

/** True if the newest step is empty, which does not end a drop: in a night next to nothing is expected. */
function isStillEmpty(side: Side, { observed }: WindowCounts): boolean {
  return side === DOWN && observed[0] === 0;
}

function isHeldBy(side: Side, observed: number, expected: number): boolean {
  return side === UP ? isHeldRise(observed, expected) : isHeldDrop(observed, expected);
}

/** True if a window is old enough for drops: a series may have begun with a burst, after which nothing is no silence. */
export function mayEvaluateDrop(state: SeriesState, resolution: Resolution, window: number): boolean {
  return state.age - (resolution.windows[window] as number) + 1 >= resolution.firstDropSteps;
}

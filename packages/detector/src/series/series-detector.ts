import { growBlock } from '../calibration/block-maxima.ts';
import { type CalibrationContext, calibrateThresholds, warmUpBudget } from '../calibration/thresholds.ts';
import { isCount } from '../state/count.ts';
import { FIRST_SLOW_MEMORY, MEMORIES, type Resolution } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import {
  type AlarmChange,
  isIdle,
  isLastingOutage,
  isLastingRise,
  isOpen,
  NO_CHANGES,
} from './alarm-state.ts';
import { expectedRate } from './classify.ts';
import { updateDispersion } from './dispersion.ts';
import {
  ENDED_DROP,
  ENDED_RISE,
  evaluateSide,
  RUNNING_RISE,
  SLIDING_RISE,
  UNLEARNED_DROP,
  UNLEARNED_RISE,
} from './evaluate-side.ts';
import { largestUsual, mostEvidenceUp } from './evidence.ts';
import { expectOnSide, prepareDay } from './expect-by-day.ts';
import { learnOldestStep } from './learn-oldest-step.ts';
import { learnNight, learnSeasonality } from './learn-seasonality.ts';
import { predict, updateLevel, winsorise } from './level.ts';
import { forgetLostActivity, learnSlot } from './missing-activity.ts';
import { bandOfProbation, isOnProbation } from './probation.ts';
import type { SeasonalPosition } from './seasonal-position.ts';
import { beginStep, highestOfDay, lowestOfDay } from './seasonality.ts';
import { countWindows, recordStep } from './windows.ts';
import type { EvaluationContext, PartialContext, Workspace } from './workspace.ts';

export function createSeries(context: CalibrationContext, state = new SeriesState()): SeriesState {
  predict(state, context.resolution);
  recalibrate(state, context);
  return state;
}

/** Sets the thresholds after the pooled tails, or the share of the budget, have changed. */
export function recalibrate(state: SeriesState, context: CalibrationContext): void {
  const budgetOfNow = warmUpBudget(state, context);
  calibrateThresholds(state, UP, context, budgetOfNow);
  calibrateThresholds(state, DOWN, context, budgetOfNow);
}

/**
 * Evaluates a step that has ended, and learns from it.
 * @param stepCount NaN, or anything else that is no count, where it is not known, which is never treated as zero
 * @returns the changes, mostly none
 */
export function evaluateStep(
  state: SeriesState,
  context: EvaluationContext,
  stepCount: number,
  workspace: Workspace,
): AlarmChange[] {
  const count = isCount(stepCount) ? stepCount : Number.NaN;
  const { resolution, position } = context;
  const { windows } = workspace;
  beginStep(state, position);
  let changes = NO_CHANGES;
  if (Number.isNaN(count)) {
    recordStep(state, count);
    updateLevel(state, resolution, count);
  } else {
    prepareWindows(state, context, count, workspace);
    const isOutage = isLastingOutage(state, resolution, count, levelOfStep(state, resolution, workspace));
    const { isUnlearned = false, isErrorSeries = false } = context;
    // The evidence of reported traffic counts: its bursts recur.
    const isLeftOut = isUnlearned || (isErrorSeries && isOnProbation(state, context, windows));
    changes = evaluateSide(state, context, isLeftOut ? UNLEARNED_RISE : ENDED_RISE, workspace);
    if (resolution.isCoarse) expectOnSide(workspace, DOWN);
    const drops = evaluateSide(state, context, isUnlearned ? UNLEARNED_DROP : ENDED_DROP, workspace);
    if (drops.length > 0) {
      if (drops.some(({ kind }) => kind === 'closes')) forgetLostActivity(state, context, windows);
      changes = changes.length > 0 ? [...changes, ...drops] : drops;
    }
    if (resolution.isCoarse) learnOldestStep(state, resolution, position, workspace.day);
    recordStep(state, isUnlearned ? Number.NaN : count);
    if (context.isImport || isUnlearned) updateLevel(state, resolution, Number.NaN);
    else {
      const isProbation = isOnProbation(state, context, windows);
      if (isOutage) {
        if (learnNight(state, resolution, position)) learnSeasonality(state, resolution, windows);
      } else if (!isProbation) learnSeasonality(state, resolution, windows);
      else if (!isErrorSeries)
        learnSeasonality(state, resolution, windows, bandOfProbation(state, position, workspace));
      if (isLastingRise(state, resolution)) updateLevel(state, resolution, Number.NaN);
      else if (isProbation && !isOutage) learnLevel(state, resolution, count);
      else if (!isOutage) learn(state, resolution, count, workspace);
      growBlocks(state, context, count);
    }
  }
  state.age += 1;
  return changes;
}

/**
 * Evaluates a step that still runs, upwards alone and learning nothing. Its count can only grow, and with it the
 * evidence: an alarm that opens here would open at the end of the step as well, only later. So it costs no false alarm, and a
 * burst is found with the event that crosses the threshold.
 */
export function evaluatePartialStep(
  state: SeriesState,
  context: PartialContext,
  countSoFar: number,
  workspace: Workspace,
): AlarmChange[] {
  const { latest = 0 } = context;
  prepareWindows(state, context, countSoFar, workspace);
  const { observed } = workspace.windows;
  // The first window is the newest step.
  const slides = latest > (observed[0] as number);
  if (slides) observed[0] = latest;
  return evaluateSide(state, context, slides ? SLIDING_RISE : RUNNING_RISE, workspace);
}

/**
 * True if the step that `evaluatePartialStep` has just found uneventful stays so up to a larger count, its own or that of
 * the last time as long as a step.
 */
export function staysUneventful(
  state: SeriesState,
  { resolution, position }: PartialContext,
  { countSoFar, upTo }: { countSoFar: number; upTo: number },
  { windows }: Workspace,
): boolean {
  if (state.reportedReason(UP) !== 0) return false;
  const { dispersion } = state;
  const bandRate = highestOfDay(state, position);
  for (let window = 0; window < resolution.windows.length; window++) {
    const knownSteps = windows.known[window] as number; // window is below the number of windows
    if (knownSteps === 0) continue;
    const observed = window === 0 ? upTo : (windows.observed[window] as number) + upTo - countSoFar;
    const expected = knownSteps * expectedRate(UP, windows.level[window] as number, bandRate);
    const holdThreshold = state.holdThreshold(UP, window);
    const unnoticed = window === 0 ? Math.min(state.blockMaximum(UP, window), holdThreshold) : holdThreshold;
    if (mostEvidenceUp(observed, expected, dispersion) > unnoticed) return false;
  }
  return true;
}

/**
 * Returns the count of a running coarse step up to which it is not unusual by itself, so that `evaluatePartialStep` need not be
 * called; −1 where a suppression has to be forgotten, and at other steps.
 */
export function usualCount(state: SeriesState, { isCoarse }: Resolution, position: SeasonalPosition): number {
  if (!isCoarse || state.reportedReason(UP) !== 0) return -1;
  // The highest rate of yesterday, which is at hand, bounds the expected count from below.
  return largestUsual(highestOfDay(state, position));
}

/** Fills in the windows that end with a count, and the rates that the time of day makes normal. */
function prepareWindows(
  state: SeriesState,
  { resolution, position }: PartialContext,
  count: number,
  workspace: Workspace,
): void {
  const { windows, bandRates } = workspace;
  countWindows(windows, state, resolution, count);
  if (resolution.isCoarse) prepareDay(state, resolution, position, workspace);
  bandRates[UP] = highestOfDay(state, position);
  bandRates[DOWN] = lowestOfDay(state, position);
}

/** Returns the expected count of the step that `prepareWindows` was called for. */
function levelOfStep(state: SeriesState, { isCoarse }: Resolution, { day }: Workspace): number {
  return isCoarse ? day.step * state.level : state.level;
}

/** Takes the count of a known step into level, dispersion and slot mean, with the bands of the workspace. */
export function learn(
  state: SeriesState,
  resolution: Resolution,
  count: number,
  { bandRates, day }: Pick<Workspace, 'bandRates' | 'day'>,
): void {
  const factor = resolution.isCoarse ? day.step : 1;
  const level = state.level * factor;
  const low = bandRates[DOWN] as number; // there is one for each side
  const winsorised = winsorise(state, count, level);
  learnSlot(state, resolution, count);
  if (!resolution.isCoarse) {
    const hasOpenAlarm = isOpen(state, UP) || isOpen(state, DOWN);
    const band = { high: bandRates[UP] as number, low };
    updateDispersion(state, resolution, { count, winsorised, level, band, hasOpenAlarm });
  }
  updateLevel(state, resolution, winsorised, factor);
}

/** Takes the count into the level alone: once the alarm has closed, as a new baseline, into the memories of hours. */
function learnLevel(state: SeriesState, resolution: Resolution, count: number): void {
  const memories = isOpen(state, UP) || isOpen(state, DOWN) ? MEMORIES : FIRST_SLOW_MEMORY;
  state.fadeMemories(resolution.memoryDecays, winsorise(state, count), 1, memories);
  predict(state, resolution);
}

function growBlocks(state: SeriesState, context: CalibrationContext, count: number): void {
  if (state.age < context.resolution.firstEvaluatedStep) return;
  growBlockOf(UP, state, context, count);
  growBlockOf(DOWN, state, context, count);
}

function growBlockOf(side: Side, state: SeriesState, context: CalibrationContext, count: number): void {
  const { isErrorSeries = false } = context;
  if (!growBlock(state, context.resolution, { side, count, mayClose: isIdle(state, side), isErrorSeries }))
    return;
  calibrateThresholds(state, side, context, warmUpBudget(state, context));
}

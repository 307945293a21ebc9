import { growBlock } from '../calibration/block-maxima.ts';
import { type CalibrationContext, calibrateThresholds, warmUpBudget } from '../calibration/thresholds.ts';
import { isCount } from '../state/count.ts';
import { MINUTES_PER_DAY, type Resolution } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import {
  type AlarmChange,
  isIdle,
  isLastingOutage,
  isLastingRise,
  isOpen,
  isRecovery,
  minutesSinceOpening,
  NO_CHANGES,
  updateAlarm,
} from './alarm-state.ts';
import { classify, evidenceOf, expectedRate } from './classify.ts';
import { updateDispersion } from './dispersion.ts';
import { emptyShare, learnEmptySteps } from './empty-steps.ts';
import { isHeldDrop, isHeldRise, largestUsual, mostEvidenceUp } from './evidence.ts';
import { expectOnSide, prepareDay } from './expect-by-day.ts';
import { learnOldestStep } from './learn-oldest-step.ts';
import { learnNight, learnSeasonality } from './learn-seasonality.ts';
import { predict, updateLevel, winsorise } from './level.ts';
import { findMissingActivity, forgetLostActivity, learnSlot } from './missing-activity.ts';
import {
  beginStep,
  highestOfDay,
  lowestOfDay,
  type SeasonalBand,
  type SeasonalPosition,
} from './seasonality.ts';
import { findUnseen } from './unseen.ts';
import { countWindows, recordStep, type WindowCounts } from './windows.ts';
import type { Workspace } from './workspace.ts';

/** Of a step, with the shape of its gamma distribution. */
export interface Expectation {
  rate: number;
  shape: number;
}

/** What a step of a series is evaluated with, beside its state. */
export interface EvaluationContext extends CalibrationContext {
  position: SeasonalPosition;
  /** What past periods make expected, instead of level and seasonal band. */
  expectation?: Expectation | null;
  /** The step is evaluated, but nothing is learned from it: most of what came belongs to an import. */
  isImport?: boolean;
  /**
   * What came in the last time that is as long as a step, wherever steps begin, so that trouble that begins within a step
   * does not wait for the next one. Its evidence is as much a part of the block maxima as that of steps.
   */
  latest?: number;
}

export function createSeries(context: CalibrationContext, state = new SeriesState()): SeriesState {
  predict(state, context.resolution);
  recalibrate(state, context);
  return state;
}

/** To be called when the pooled tails, or the share of the budget, have changed. */
export function recalibrate(state: SeriesState, context: CalibrationContext): void {
  const ofNow = { ...context, budgetPerWeek: warmUpBudget(state, context) };
  calibrateThresholds(state, UP, ofNow);
  calibrateThresholds(state, DOWN, ofNow);
}

/**
 * Evaluates a step that has ended, and learns from it.
 * @param stepCount NaN, or anything else that is no count, where it is not known, which is never treated as zero
 * @returns what changed, mostly nothing
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
    const band = prepareWindows(state, context, count, workspace);
    const factor = resolution.isCoarse ? workspace.day.step : 1;
    const isOutage = isLastingOutage(state, resolution, count, factor * state.level);
    changes = evaluateSide(state, context, { side: UP, bandRate: band.high, stepEnded: true }, workspace);
    if (resolution.isCoarse) expectOnSide(workspace, DOWN);
    const drops = evaluateSide(
      state,
      context,
      { side: DOWN, bandRate: band.low, stepEnded: true },
      workspace,
    );
    if (drops.some(({ kind }) => kind === 'closes')) forgetLostActivity(state, context, windows);
    if (drops.length > 0) changes = changes.length > 0 ? [...changes, ...drops] : drops;
    if (resolution.isCoarse) learnOldestStep(state, resolution, position, workspace.day);
    recordStep(state, count);
    if (context.isImport) updateLevel(state, resolution, Number.NaN);
    else {
      if (!isOutage || learnNight(state, resolution, position)) learnSeasonality(state, resolution, windows);
      if (isLastingRise(state, resolution)) updateLevel(state, resolution, Number.NaN);
      else if (!isOutage) learn(state, resolution, count, { band, factor });
      growBlocks(state, context, count);
    }
  }
  state.age += 1;
  return changes;
}

/**
 * Evaluates a step that still runs, upwards alone and learning nothing. Its count can only grow, and with it the
 * evidence: whatever opens here would open at the end of the step as well, only later. So it costs no false alarm, and a
 * burst is found with the event that crosses the threshold.
 */
export function evaluatePartialStep(
  state: SeriesState,
  context: EvaluationContext,
  countSoFar: number,
  workspace: Workspace,
): AlarmChange[] {
  const { latest = 0 } = context;
  const { high: bandRate } = prepareWindows(state, context, countSoFar, workspace);
  const { observed } = workspace.windows;
  // The first window is the newest step.
  const slides = latest > (observed[0] as number);
  if (slides) observed[0] = latest;
  return evaluateSide(state, context, { side: UP, bandRate, stepEnded: false, slides }, workspace);
}

/**
 * Whether the step that `evaluatePartialStep` has just found uneventful stays so up to a larger count, of its own or of
 * the time that is as long.
 */
export function staysUneventful(
  state: SeriesState,
  { resolution, position }: EvaluationContext,
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
 * A count of a coarse step that runs up to which it is not unusual by itself, so that `evaluatePartialStep` need not be
 * called: most are. −1 where a suppression has to be forgotten, and at other steps.
 */
export function usualCount(state: SeriesState, { isCoarse }: Resolution, position: SeasonalPosition): number {
  if (!isCoarse || state.reportedReason(UP) !== 0) return -1;
  // What its time of the day makes expected is at least the range of yesterday, which is at hand.
  return largestUsual(highestOfDay(state, position));
}

/** Fills in the windows that end with a count. @returns what the time of day makes normal */
function prepareWindows(
  state: SeriesState,
  { resolution, position, expectation }: EvaluationContext,
  count: number,
  workspace: Workspace,
): SeasonalBand {
  const { windows } = workspace;
  countWindows(windows, state, resolution, count);
  if (resolution.isCoarse) prepareDay(state, resolution, position, workspace);
  if (!expectation) return { high: highestOfDay(state, position), low: lowestOfDay(state, position) };
  windows.level.fill(expectation.rate);
  windows.shape.fill(expectation.shape);
  return { high: expectation.rate, low: expectation.rate };
}

/** What a coarse step is learned with. */
interface Learned {
  band: SeasonalBand;
  factor: number;
}

/** Takes the count of a known step into all that a series has learned but its time of day. */
export function learn(
  state: SeriesState,
  resolution: Resolution,
  count: number,
  { band, factor }: Learned,
): void {
  const level = state.level * factor;
  const winsorised = winsorise(state, count, level);
  learnSlot(state, resolution, count);
  const hasOpenAlarm = isOpen(state, UP) || isOpen(state, DOWN);
  learnEmptySteps(state, resolution, count, Math.min(level, band.low));
  if (!resolution.isCoarse)
    updateDispersion(state, resolution, { count, winsorised, level, band, hasOpenAlarm });
  updateLevel(state, resolution, winsorised, factor);
}

function growBlocks(state: SeriesState, context: CalibrationContext, count: number): void {
  if (state.age < context.resolution.firstEvaluatedStep) return;
  for (const side of [UP, DOWN] as const) {
    if (!growBlock(state, context.resolution, { side, count, mayClose: isIdle(state, side) })) continue;
    const ofNow = { ...context, budgetPerWeek: warmUpBudget(state, context) };
    calibrateThresholds(state, side, ofNow);
  }
}

interface EvaluatedSide {
  side: Side;
  /** What the time of day allows: the highest rate upwards, the lowest downwards. */
  bandRate: number;
  stepEnded: boolean;
  /** Whether the first window is not that of the step that runs. */
  slides?: boolean;
}

/** Evaluates the windows of a side, which `countWindows` has filled in. */
function evaluateSide(
  state: SeriesState,
  context: EvaluationContext,
  { side, bandRate, stepEnded, slides = false }: EvaluatedSide,
  { windows, day, holdThresholds, blockMaxima }: Workspace,
): AlarmChange[] {
  const { resolution } = context;
  state.readNoticed(side, holdThresholds, blockMaxima);
  const isOngoing = !resolution.isCoarse || isUnusualStep(side, bandRate, windows);
  const isCoarseRise = resolution.isCoarse && side === UP;
  const usualLevel = isCoarseRise ? (windows.meanLevel[0] as number) * day.step : 0;
  let candidate: AlarmChange | null = null;
  let candidateExcess = 0;
  let isHeld = false;
  let isUnusual = false;
  const { dispersion } = state;
  // Evidence for less is at most what was expected, but for that of the empty steps of a hurdle model.
  const mayExceedExpected = side === DOWN && emptyShare(state) > 0;
  for (let window = 0; window < resolution.windows.length; window++) {
    const knownSteps = windows.known[window] as number; // window is below the number of windows
    if (knownSteps === 0 || (side === DOWN && !mayEvaluateDrop(state, resolution, window))) continue;
    const observed = windows.observed[window] as number;
    const expected = knownSteps * expectedRate(side, windows.level[window] as number, bandRate);
    const isOfBlock = stepEnded || (slides && window === 0);
    const holdThreshold = holdThresholds[window] as number;
    const blockMaximum = blockMaxima[window] as number;
    // Up to so much neither the block nor an alarm notices it.
    const unnoticed = isOfBlock ? Math.min(blockMaximum, holdThreshold) : holdThreshold;
    const most = side === UP ? mostEvidenceUp(observed, expected, dispersion) : expected;
    if (!mayExceedExpected && most <= unnoticed) continue;
    const evidence = evidenceOf(state, windows, { side, window }, expected);
    if (isOfBlock && evidence > blockMaximum) state.setBlockMaximum(side, window, evidence);
    if (evidence <= holdThreshold) continue;
    isUnusual = true;
    isHeld ||= (isOngoing || isStillEmpty(side, windows)) && isHeldBy(side, observed, expected);
    if (isCoarseRise) isHeld ||= isHeldRise(windows.observed[0] as number, usualLevel);
    const openThreshold = state.openThreshold(side, window);
    const excess = evidence / openThreshold;
    if (evidence <= openThreshold || !isOngoing || excess <= candidateExcess || isOpen(state, side)) continue;
    const exceedance = { side, window, knownSteps, observed, expected, evidence, openThreshold };
    const change = classify(state, context, exceedance, windows);
    if (candidate && candidate.kind !== 'suppressed' && change.kind === 'suppressed') continue;
    candidate = change;
    candidateExcess = excess;
  }
  if (candidate?.kind === 'opens') candidate = { ...candidate, ...findUnseen(state, resolution, candidate) };
  if (side === DOWN && resolution.isCoarse) isHeld ||= isLastingSilence(state, resolution, windows);
  if (side === DOWN && !resolution.isCoarse) {
    const missing = findMissingActivity(state, context, windows, expectedRate(DOWN, state.level, bandRate));
    isHeld ||= missing.isHeld;
    if (missing.exceedance && (!candidate || candidate.kind === 'suppressed')) {
      const isReturn = isRecovery(state, resolution, missing.exceedance);
      candidate = { kind: isReturn ? 'recovers' : 'opens', ...missing.exceedance };
    }
  }
  return updateAlarm(state, resolution, side, { candidate, isHeld, isUnusual, stepEnded });
}

/**
 * Whether the newest step is unusual by itself. Windows of coarse steps span up to a day and a half: what was over long
 * ago neither opens an alarm nor holds one.
 */
function isUnusualStep(side: Side, bandRate: number, { observed, level }: WindowCounts): boolean {
  // The first window is the newest step.
  const [count, levelBefore] = [observed[0] as number, level[0] as number];
  return isHeldBy(side, count, expectedRate(side, levelBefore, bandRate));
}

/**
 * Whether nothing has come in the newest step of an open drop, for a day at most. The windows of coarse steps are compared
 * with the hour at which they end: by night next to nothing is expected of all of a day and a half, but a silence is not
 * over, and would be another incident in the morning.
 */
function isLastingSilence(state: SeriesState, resolution: Resolution, windows: WindowCounts): boolean {
  return isStillEmpty(DOWN, windows) && minutesSinceOpening(state, resolution, DOWN) < MINUTES_PER_DAY;
}

/** An empty step of a night, in which next to nothing is expected, does not end a drop. */
function isStillEmpty(side: Side, { observed }: WindowCounts): boolean {
  return side === DOWN && observed[0] === 0;
}

function isHeldBy(side: Side, observed: number, expected: number): boolean {
  return side === UP ? isHeldRise(observed, expected) : isHeldDrop(observed, expected);
}

/** At first a series may only have begun with a burst: that nothing follows is not a silence. */
export function mayEvaluateDrop(state: SeriesState, resolution: Resolution, window: number): boolean {
  return state.age - (resolution.windows[window] as number) + 1 >= resolution.firstDropSteps;
}

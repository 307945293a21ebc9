import { stepsUntilBlockCloses } from '../calibration/block-maxima.ts';
import type { Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';
import { isIdle } from './alarm-state.ts';
import { ENDED_DROP, ENDED_RISE, evaluateWindows, mayEvaluateDrop } from './evaluate-side.ts';
import { mostEvidenceDown, mostEvidenceUp } from './evidence.ts';
import { learnSeasonality } from './learn-seasonality.ts';
import { mostLevel } from './level.ts';
import { mostMissing } from './missing-activity.ts';
import { mayBeOnProbation } from './probation.ts';
import { highestOfDay, lowestOfDay } from './seasonality.ts';
import { learn } from './series-detector.ts';
import { countWindows, recordStep, type WindowCounts } from './windows.ts';
import type { StepPlace, Workspace } from './workspace.ts';

/** Level above which most steps hold an event. */
const MAX_LEVEL = 1;
/** Share of an open threshold that bounds may reach, so that rounding does not matter. */
const SAFE_SHARE = 0.9;

/** Step that ended last. */
interface EndedStep extends StepPlace {
  /** Steps that follow it within the same slot of the day. */
  stepsOfSlot: number;
  /** Windows that end with it, as they were evaluated. */
  windows: WindowCounts;
  isErrorSeries?: boolean;
}

/**
 * Returns how many of the next steps can only be uneventful if they hold no event: no alarm opens or closes, nothing is
 * suppressed, no block closes and no slot begins. They may be evaluated later, all at once, with the same result. 0: not
 * known.
 */
export function uneventfulSteps(
  state: SeriesState,
  { resolution, position, stepsOfSlot, windows, isErrorSeries }: EndedStep,
): number {
  const longest = resolution.windows.length - 1;
  if (stepsOfSlot === 0 || state.level > MAX_LEVEL || !isIdle(state, UP) || !isIdle(state, DOWN)) return 0;
  if (mayBeOnProbation(state, { resolution, isErrorSeries })) return 0;
  if (state.reportedReason(UP) !== 0 || state.reportedReason(DOWN) !== 0) return 0;
  if (!mayEvaluateDrop(state, resolution, longest)) return 0;
  const most = mostLevel(state, resolution);
  const { least, largest } = keptLevels(state);
  const low = Math.min(lowestOfDay(state, position), Math.max(most, largest));
  const high = Math.max(highestOfDay(state, position), Math.min(least, state.level));
  for (let window = 0; window <= longest; window++) {
    const steps = resolution.windows[window] as number; // window is below the number of windows
    if (windows.known[window] !== steps) return 0;
    // Windows lose events until one comes, and each that holds any begins with a step whose level is kept.
    const observed = windows.observed[window] as number;
    if (mostEvidenceUp(observed, steps * high, 1) > SAFE_SHARE * state.openThreshold(UP, window)) return 0;
    const missing = Math.max(steps * low, mostMissing(state, { resolution, position }, steps));
    if (missing > SAFE_SHARE * state.openThreshold(DOWN, window)) return 0;
  }
  return Math.min(stepsOfSlot, stepsUntilBlockCloses(state, resolution));
}

/** Returns the least and the largest level of the steps of the ring, all of which are known. */
function keptLevels(state: SeriesState): { least: number; largest: number } {
  let least = Number.POSITIVE_INFINITY;
  let largest = 0;
  const { windowSteps } = state;
  for (let at = 0; at < windowSteps; at++) {
    const level = state.levelOfStep(at);
    if (level < least) least = level;
    if (level > largest) largest = level;
  }
  return { least, largest };
}

/**
 * Takes in empty steps that are uneventful by `uneventfulSteps`: does all that `evaluateStep` would do with them but to find so
 * again.
 */
export function takeUneventfulSteps(
  state: SeriesState,
  { resolution, position }: StepPlace,
  steps: number,
  workspace: Workspace,
): void {
  const { windows, bandRates } = workspace;
  bandRates[UP] = highestOfDay(state, position);
  bandRates[DOWN] = lowestOfDay(state, position);
  const mayMiss = mayGrowByMissing(state, resolution, bandRates[DOWN]);
  for (let step = 0; step < steps; step++) {
    if (!mayMiss && state.filledSteps === 0) {
      // All windows have the rate 0, without a margin, and no more evidence than the running blocks.
      recordStep(state, 0);
      state.extendBands(0, 0);
    } else {
      countWindows(windows, state, resolution, 0);
      // No evidence is above its threshold: it only adds to the running blocks.
      evaluateWindows(state, { resolution, position }, ENDED_RISE, workspace);
      evaluateWindows(state, { resolution, position }, ENDED_DROP, workspace);
      recordStep(state, 0);
      learnSeasonality(state, resolution, windows);
    }
    learn(state, resolution, 0, workspace);
    state.setBlock(UP, state.blockSteps(UP) + 1, state.blockEvents(UP));
    state.setBlock(DOWN, state.blockSteps(DOWN) + 1, state.blockEvents(DOWN));
    state.age += 1;
  }
}

/** True if empty windows may have more evidence than the running block: it is at most their expected events. */
function mayGrowByMissing(state: SeriesState, { windows: lengths }: Resolution, low: number): boolean {
  for (let window = 0; window < lengths.length; window++) {
    const steps = lengths[window] as number; // window is below the number of windows
    // Negated: before yesterday is known the rate is infinite.
    if (!(mostEvidenceDown(0, steps * low) <= state.blockMaximum(DOWN, window))) return true;
  }
  return false;
}

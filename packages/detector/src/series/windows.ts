import { MAX_WINDOWS, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';

/** Windows that end with a step: their counts, and the expectation from before each of them began. */
export interface WindowCounts {
  observed: Float64Array;
  /** Steps whose count is known; 0 where the window cannot be evaluated. */
  known: Float64Array;
  level: Float64Array;
  shape: Float64Array;
  /** Level of a mean slot of the day, at coarse steps. */
  meanLevel: Float64Array;
}

export function createWindowCounts(): WindowCounts {
  return {
    observed: new Float64Array(MAX_WINDOWS),
    known: new Float64Array(MAX_WINDOWS),
    level: new Float64Array(MAX_WINDOWS),
    shape: new Float64Array(MAX_WINDOWS),
    meanLevel: new Float64Array(MAX_WINDOWS),
  };
}

/** Records the step's count beside its expectation. */
export function recordStep(state: SeriesState, count: number): void {
  const { age, windowSteps } = state;
  const at = age % windowSteps;
  if (state.count(at) === 0) state.lastEmptyAge = age - windowSteps + 1;
  state.setStep(at, count, state.level, state.shape);
}

/** Level below which most steps are empty: only those with an event are read. Measured at 0.2 and 20 a step. */
export const SPARSE_LEVEL = 1;

/**
 * Fills in the windows. A window is evaluated if it began once the level was known, and if at least half of it is known. Its
 * expectation is from before it began: a burst is not compared with a level that it has raised itself.
 * @param count count of the running step, which need not have been recorded yet
 */
export function countWindows(
  windows: WindowCounts,
  state: SeriesState,
  resolution: Resolution,
  count: number,
): void {
  if (state.unknownSteps === 0 && state.level < SPARSE_LEVEL)
    countKnownWindows(windows, state, resolution, count);
  else countSteps(windows, state, resolution, count);
}

/** Reads each step. */
function countSteps(windows: WindowCounts, state: SeriesState, resolution: Resolution, count: number): void {
  const { age, windowSteps, floats, firstCount } = state;
  const lengths = resolution.windows;
  const evaluatedSteps = stepsEvaluated(age, resolution);
  let observed = count;
  let known = 1;
  let back = 0;
  let at = age % windowSteps;
  for (let i = 0; i < lengths.length; i++) {
    const steps = lengths[i] as number; // i is below the length
    if (steps > evaluatedSteps) {
      windows.known[i] = 0;
      continue;
    }
    while (++back < steps) {
      at = at === 0 ? windowSteps - 1 : at - 1;
      const earlier = floats[firstCount + at] as number; // it is below the steps of the ring
      if (!Number.isNaN(earlier)) {
        observed += earlier;
        known++;
      }
    }
    back--;
    windows.observed[i] = observed;
    windows.known[i] = 2 * known >= steps ? known : 0;
    windows.level[i] = steps === 1 ? state.level : state.levelOfStep(at);
    windows.shape[i] = steps === 1 ? state.shape : state.shapeOfStep(at);
  }
}

/** Reads only the steps with an event, as all others are known to be empty. */
function countKnownWindows(
  windows: WindowCounts,
  state: SeriesState,
  resolution: Resolution,
  count: number,
): void {
  const { age, windowSteps, floats, firstCount } = state;
  const lengths = resolution.windows;
  const evaluatedSteps = stepsEvaluated(age, resolution);
  const newest = age % windowSteps;
  let filled = stepsBefore(state.filledSteps, newest, windowSteps);
  // Steps back to the next event to be added.
  let back = windowSteps - highestBit(filled);
  let observed = count;
  for (let i = 0; i < lengths.length; i++) {
    const steps = lengths[i] as number; // i is below the length
    if (steps > evaluatedSteps) {
      windows.known[i] = 0;
      continue;
    }
    while (back < steps) {
      const at = newest - back;
      observed += floats[firstCount + (at < 0 ? at + windowSteps : at)] as number;
      filled ^= 1 << (windowSteps - back);
      back = windowSteps - highestBit(filled);
    }
    const at = newest - steps + 1;
    const first = at < 0 ? at + windowSteps : at;
    windows.observed[i] = observed;
    windows.known[i] = steps;
    windows.level[i] = steps === 1 ? state.level : state.levelOfStep(first);
    windows.shape[i] = steps === 1 ? state.shape : state.shapeOfStep(first);
  }
}

/** Returns the bits of the steps before one of the ring: that of k steps before it is the bit `windowSteps` − k. */
function stepsBefore(ring: number, newest: number, windowSteps: number): number {
  const sinceWrap = (ring & ((1 << newest) - 1)) << (windowSteps - newest);
  return (sinceWrap | (ring >>> newest)) & ~1;
}

/** Returns −1 where no bit is set. */
function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}

/** Returns the maximum steps of an evaluated window; 0: none is evaluated. */
function stepsEvaluated(age: number, { firstEvaluatedStep, firstWindowSteps }: Resolution): number {
  return age >= firstEvaluatedStep ? age - firstWindowSteps + 1 : 0;
}

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

/** Returns the maximum steps of an evaluated window; 0: none is evaluated. */
function stepsEvaluated(age: number, { firstEvaluatedStep, firstWindowSteps }: Resolution): number {
  return age >= firstEvaluatedStep ? age - firstWindowSteps + 1 : 0;
}

import { MAX_WINDOW_STEPS, MAX_WINDOWS, type Resolution } from '../state/resolution.ts';
import { AT } from '../state/series-state.ts';

/** What the windows that end with a step hold, and what was expected before each of them began. */
export interface WindowCounts {
  observed: Float64Array;
  /** Steps whose count is known; 0 where the window cannot be judged. */
  known: Float64Array;
  level: Float64Array;
  shape: Float64Array;
}

export function createWindowCounts(): WindowCounts {
  return {
    observed: new Float64Array(MAX_WINDOWS),
    known: new Float64Array(MAX_WINDOWS),
    level: new Float64Array(MAX_WINDOWS),
    shape: new Float64Array(MAX_WINDOWS),
  };
}

/** Keeps the step's count beside the level that was expected of it. */
export function recordStep(numbers: Float32Array, count: number): void {
  const at = (numbers[AT.age] as number) % MAX_WINDOW_STEPS;
  numbers[AT.counts + at] = count;
  numbers[AT.levels + at] = numbers[AT.level] as number;
  numbers[AT.shapes + at] = numbers[AT.shape] as number;
}

/**
 * A window counts if it began late enough for the level to be something, and if at least half of it is known. Its
 * expectation is from before it began: a burst is not compared with what it has itself raised.
 * @param count of the step that runs, which need not have been kept yet
 */
export function countWindows(
  scan: WindowCounts,
  numbers: Float32Array,
  resolution: Resolution,
  count: number,
): void {
  const age = numbers[AT.age] as number;
  const { windows } = resolution;
  let observed = count;
  let known = 1;
  let back = 0;
  let at = age % MAX_WINDOW_STEPS;
  for (let i = 0; i < windows.length; i++) {
    const steps = windows[i] as number;
    const first = age - steps + 1;
    if (age < resolution.firstJudgementSteps || first < resolution.firstWindowSteps) {
      scan.known[i] = 0;
      continue;
    }
    while (++back < steps) {
      at = at === 0 ? MAX_WINDOW_STEPS - 1 : at - 1;
      const earlier = numbers[AT.counts + at] as number;
      if (earlier === earlier) {
        observed += earlier;
        known++;
      }
    }
    back--;
    scan.observed[i] = observed;
    scan.known[i] = 2 * known >= steps ? known : 0;
    scan.level[i] = steps === 1 ? (numbers[AT.level] as number) : (numbers[AT.levels + at] as number);
    scan.shape[i] = steps === 1 ? (numbers[AT.shape] as number) : (numbers[AT.shapes + at] as number);
  }
}

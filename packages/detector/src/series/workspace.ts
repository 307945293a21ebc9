import { MAX_WINDOWS } from '../state/resolution.ts';
import { createDayFactors, type DayFactors } from './day-profile.ts';
import { createWindowCounts, type WindowCounts } from './windows.ts';

/**
 * Scratch space of an evaluation, passed in so that none is allocated for each step. It holds nothing between calls, so
 * any number of series may share one.
 */
export interface Workspace {
  windows: WindowCounts;
  day: DayFactors;
  /** Rates that the time of day makes normal, by side: the highest upwards, the lowest downwards. */
  bandRates: Float64Array;
  /** Expected events of the evaluated side, by window; the fields below are those of `SeriesState`. */
  expected: Float64Array;
  holdThresholds: Float64Array;
  blockMaxima: Float64Array;
}

export function createWorkspace(): Workspace {
  return {
    windows: createWindowCounts(),
    day: createDayFactors(),
    bandRates: new Float64Array(2),
    expected: new Float64Array(MAX_WINDOWS),
    holdThresholds: new Float64Array(MAX_WINDOWS),
    blockMaxima: new Float64Array(MAX_WINDOWS),
  };
}

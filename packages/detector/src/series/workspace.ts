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
  /** Of the side that is evaluated, by window: see `SeriesState`. */
  holdThresholds: Float64Array;
  blockMaxima: Float64Array;
}

export function createWorkspace(): Workspace {
  return {
    windows: createWindowCounts(),
    day: createDayFactors(),
    holdThresholds: new Float64Array(MAX_WINDOWS),
    blockMaxima: new Float64Array(MAX_WINDOWS),
  };
}

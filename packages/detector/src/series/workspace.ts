import { createDayFactors, type DayFactors } from './day-profile.ts';
import { createWindowCounts, type WindowCounts } from './windows.ts';

/**
 * Scratch space of an evaluation, passed in so that none is allocated for each step. It holds nothing between calls, so
 * any number of series may share one.
 */
export interface Workspace {
  windows: WindowCounts;
  day: DayFactors;
}

export function createWorkspace(): Workspace {
  return { windows: createWindowCounts(), day: createDayFactors() };
}

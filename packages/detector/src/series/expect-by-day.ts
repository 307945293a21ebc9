import type { Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { type Side, UP } from '../state/side.ts';
import { fillDayFactors } from './day-profile.ts';
import type { SeasonalPosition } from './seasonal-position.ts';
import type { Workspace } from './workspace.ts';

/**
 * Sets the levels and shapes of the windows of coarse steps, which `countWindows` has filled in, for their time of the day: for
 * rises at first. The relative variances of level and factor add up.
 */
export function prepareDay(
  state: SeriesState,
  resolution: Resolution,
  position: SeasonalPosition,
  workspace: Workspace,
): void {
  const { windows, day } = workspace;
  fillDayFactors(day, state, resolution, position);
  for (let i = 0; i < resolution.windows.length; i++) {
    windows.meanLevel[i] = windows.level[i] as number; // i is below the number of windows
    windows.shape[i] = 1 / (1 / (windows.shape[i] as number) + 1 / (day.events[i] as number));
  }
  expectOnSide(workspace, UP);
}

/** Returns the expected count of a step, at its time of the day where it is coarse. */
export function levelOfStep(
  state: SeriesState,
  resolution: Resolution,
  position: SeasonalPosition,
  { day }: Workspace,
): number {
  if (!resolution.isCoarse) return state.level;
  fillDayFactors(day, state, resolution, position);
  return state.level * day.step;
}

/** Sets the levels of the windows to the most that is usual within an hour upwards, to the least downwards: clocks may change. */
export function expectOnSide({ windows, day }: Workspace, side: Side): void {
  const factors = day.windows[side];
  for (let i = 0; i < factors.length; i++) {
    windows.level[i] = (windows.meanLevel[i] as number) * (factors[i] as number); // both have a place for each window
  }
}

import type { Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { type Side, UP } from '../state/side.ts';
import { fillDayFactors } from './day-profile.ts';
import type { SeasonalPosition } from './seasonal-position.ts';
import type { Workspace } from './workspace.ts';

/**
 * What the windows of coarse steps, which `countWindows` has filled in, expect at their time of the day: of rises at first.
 * How well it is known follows from the level and from the factor, whose relative variances add up.
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

/** What is expected of a step: of a coarse one at its time of the day. */
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

/** Upwards the most that is usual within an hour, downwards the least: clocks may change. */
export function expectOnSide({ windows, day }: Workspace, side: Side): void {
  const factors = day.windows[side];
  for (let i = 0; i < factors.length; i++) {
    windows.level[i] = (windows.meanLevel[i] as number) * (factors[i] as number); // both have a place for each window
  }
}

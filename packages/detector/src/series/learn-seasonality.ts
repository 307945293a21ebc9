import type { Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN } from '../state/side.ts';
import { minutesSinceOpening } from './alarm-state.ts';
import {
  extendBandByWindows,
  markNight,
  NIGHT_MINUTES,
  type SeasonalBand,
  type SeasonalPosition,
} from './seasonality.ts';
import type { WindowCounts } from './windows.ts';

/** Extends the seasonal band by the windows that end with a step, within limits; missing: none. */
export function learnSeasonality(
  state: SeriesState,
  resolution: Resolution,
  windows: WindowCounts,
  limits?: SeasonalBand,
): void {
  const longest = resolution.windows.length - 1;
  // No window holds an event: all have the rate 0, without a margin.
  if (!limits && windows.observed[longest] === 0 && windows.known[longest] !== 0) state.extendBands(0, 0);
  else extendBandByWindows(state, resolution, windows, limits);
}

/**
 * True if an outage teaches its time of day: only once it is as long as a night, and then from its beginning on, which
 * is marked once.
 */
export function learnNight(state: SeriesState, resolution: Resolution, position: SeasonalPosition): boolean {
  const minutes = minutesSinceOpening(state, resolution, DOWN);
  if (minutes < NIGHT_MINUTES) return false;
  if (minutes < NIGHT_MINUTES + resolution.stepMinutes) markNight(state, resolution, position);
  return true;
}

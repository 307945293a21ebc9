import { MINUTES_PER_WEEK } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { type Side, UP } from '../state/side.ts';
import { bandOfWeek, highestOfDay, lowestOfDay } from './seasonality.ts';
import { meanOfSlots } from './slot-means.ts';
import type { StepPlace } from './workspace.ts';

/** The last steps of a series that have ended. */
export interface RecentCounts {
  observed: number;
  /** Usual events at this time of the day. */
  usual: number;
  dispersion: number;
}

/** Last steps, and the side to which they are compared with the usual. */
export interface RecentSteps extends StepPlace {
  side: Side;
  /** Number of steps: at most those of the longest window are known. */
  steps: number;
}

/** Returns null where none of the steps is known. */
export function recentCounts(state: SeriesState, recent: RecentSteps): RecentCounts | null {
  const { age, windowSteps } = state;
  const steps = Math.min(recent.steps, windowSteps, age);
  let [observed, known] = [0, 0];
  for (let back = 1; back <= steps; back++) {
    const count = state.count((age - back) % windowSteps);
    if (Number.isNaN(count)) continue;
    observed += count;
    known++;
  }
  if (known === 0) return null;
  const rate = usualRateOf(state, recent) ?? state.levelOfStep((age - steps) % windowSteps);
  return { observed, usual: known * rate, dispersion: state.dispersion };
}

/**
 * Returns the rate of the same time of other days, in events a step, that is nearest to a change to a side: unlike the level it
 * does not follow a change that goes on for hours. Null in the first week.
 */
export function usualRateOf(
  state: SeriesState,
  { resolution, position, side }: Omit<RecentSteps, 'steps'>,
): number | null {
  if (state.age * resolution.stepMinutes < MINUTES_PER_WEEK) return null;
  const mean = meanOfSlots(state, position, 0);
  const ofWeek = bandOfWeek(state, position);
  return side === UP
    ? Math.max(mean, ofWeek.high, highestOfDay(state, position))
    : Math.min(mean, ofWeek.low, lowestOfDay(state, position));
}

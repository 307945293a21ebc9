import { isOpen } from '../series/alarm-state.ts';
import { type Excess, findExcess } from '../series/excess.ts';
import { slowestRate } from '../series/level.ts';
import { raiseLevel } from '../series/raise-level.ts';
import { bandOfWeek, lowestOfDay, seasonalPositionOf } from '../series/seasonality.ts';
import type { Resolution } from '../state/resolution.ts';
import type { Side } from '../state/side.ts';
import type { NewSeries, TrackedSeries } from './tracked-series.ts';

/** Makes a series expect at least so many events a step. */
export function raiseLevelTo({ state }: TrackedSeries, resolution: Resolution, perStep: number): void {
  const missing = perStep - state.level;
  if (missing > 0) raiseLevel(state, resolution, missing);
}

/** Events of the known steps that are kept. */
export function latestCount({ state }: TrackedSeries): number {
  let events = 0;
  for (let filled = state.filledSteps; filled !== 0; filled &= filled - 1) {
    events += state.count(31 - Math.clz32(filled & -filled));
  }
  return events;
}

/** Excess within the known steps that are kept; at least one step is known. */
export function latestExcess({ state }: TrackedSeries, side: Side, rate: number): Excess {
  const { age, windowSteps, dispersion } = state;
  const length = Math.min(age, windowSteps);
  return findExcess({ side, length, rate, dispersion }, (before) =>
    state.count((age - 1 - before) % windowSteps),
  );
}

/** What a series is watched with at another step. One of errors counts as silent before its first event here alone. */
export function newSeriesOf(tracked: TrackedSeries, resolution: Resolution): NewSeries {
  const { weight, isErrorSeries, state } = tracked;
  const { knownMinutes, events } = slowestRate(state, resolution);
  return { weight, isErrorSeries, mayBeOld: knownMinutes === 0 || events > 0 };
}

/** True if an alarm of a side is open, or closed at most so many minutes ago. */
export function hadAlarm(
  tracked: TrackedSeries,
  resolution: Resolution,
  side: Side,
  withinMinutes: number,
): boolean {
  return isOpen(tracked.state, side) || hadClosed(tracked, resolution, side, withinMinutes);
}

/** True if an alarm of a side closed at most so many minutes ago. */
export function hadClosed(
  { state }: TrackedSeries,
  { stepMinutes }: Resolution,
  side: Side,
  withinMinutes: number,
): boolean {
  const closedAge = state.closedAge(side);
  return closedAge > 0 && (state.age - closedAge) * stepMinutes <= withinMinutes;
}

/** The least rate that its level, yesterday's time of day and last week's hour make normal, in events a minute. */
export function lowestRate({ state }: TrackedSeries, resolution: Resolution, timeMs: number): number {
  const position = seasonalPositionOf(resolution, timeMs);
  const perStep = Math.min(state.level, lowestOfDay(state, position), bandOfWeek(state, position).low);
  return perStep / resolution.stepMinutes;
}

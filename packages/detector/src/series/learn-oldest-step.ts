import { modulo } from '../state/modulo.ts';
import type { Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';
import { isOpen } from './alarm-state.ts';
import { type DayFactors, factorsAround } from './day-profile.ts';
import { updateDispersion } from './dispersion.ts';
import { winsorise } from './level.ts';
import type { SeasonalPosition } from './seasonal-position.ts';
import { learnMean, meanOfSlot } from './slot-means.ts';

/**
 * Takes the coarse step that leaves the longest window now into the dispersion and the mean of its slot. So both are from before
 * a window began, as the level is: slow trouble counts neither as noise nor as the time of day while it is evaluated. Reported
 * counts were forgotten when their alarm closed.
 */
export function learnOldestStep(
  state: SeriesState,
  resolution: Resolution,
  { slot, slots }: SeasonalPosition,
  factors: DayFactors,
): void {
  const { age, windowSteps } = state;
  const at = age % windowSteps;
  const count = state.count(at);
  if (age < windowSteps || Number.isNaN(count)) return;
  const oldest = modulo(slot - windowSteps, slots);
  const rate = state.levelOfStep(at);
  const level = rate * (factors.slots[oldest] as number); // there is one for each slot
  // The first day would make noise of the time of day, which at coarse steps is far more than the noise of counts.
  if (age >= resolution.firstEvaluatedStep) {
    const { low, high } = factorsAround(factors, { slot: oldest, slots }, resolution);
    const winsorised = winsorise(state, count, level);
    const hasOpenAlarm = isOpen(state, UP) || isOpen(state, DOWN);
    const band = { low: rate * low, high: rate * high };
    updateDispersion(state, resolution, { count, winsorised, level, band, hasOpenAlarm });
  }
  if (isOpen(state, DOWN)) return;
  const mean = meanOfSlot(state, oldest);
  learnMean(state, oldest, Number.isNaN(mean) ? count : winsorise(state, count, Math.max(mean, level)));
}

import { MAX_SLOTS, MAX_WINDOWS, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import type { SeasonalPosition } from './seasonal-position.ts';
import { SHIFT_MINUTES } from './seasonality.ts';
import { MEAN_DAYS, meanOfSlot } from './slot-means.ts';

/**
 * Events that the gamma prior of each factor is worth: its mean is 1 and its standard deviation 0.45. A series that is too rare
 * to show a rhythm has none.
 */
const PRIOR_EVENTS = 5;

/** Factors of the time of day, for the running step and the windows that end with it. */
export interface DayFactors {
  /** Factors by slot of the day, each of which is a step. */
  slots: Float64Array;
  /** Factor of the running step. */
  step: number;
  /** Means over the steps of each window, by side: the largest and the least of those shifted by up to an hour. */
  windows: readonly [Float64Array, Float64Array];
  /** Events that the factors of each window rest on: its own steps', and those of an hour before and after each. */
  events: Float64Array;
}

export function createDayFactors(): DayFactors {
  return {
    slots: new Float64Array(MAX_SLOTS),
    step: 1,
    windows: [new Float64Array(MAX_WINDOWS), new Float64Array(MAX_WINDOWS)],
    events: new Float64Array(MAX_WINDOWS),
  };
}

/**
 * Fills in the factors by which the steps of a day differ from their mean: a multiplicative season (West & Harrison, 1997,
 * chapter 8, in its simplest form), f = (5 + d·m_slot)/(5 + d·m) with the means m over d days, a gamma–Poisson estimate. 1 in a
 * slot of which nothing is known.
 *
 * Domain: a slot of the day is a step.
 */
export function fillDayFactors(
  factors: DayFactors,
  state: SeriesState,
  { windows, stepMinutes }: Resolution,
  { slot, slots }: Pick<SeasonalPosition, 'slot' | 'slots'>,
): void {
  const eventsOfMean = fillSlots(factors.slots, state, slots);
  factors.step = factors.slots[slot] as number; // below the number of slots
  const [highs, lows] = factors.windows;
  highs.fill(0);
  lows.fill(Number.POSITIVE_INFINITY);
  const reach = shiftsOf(stepMinutes);
  for (let shift = -reach; shift <= reach; shift++) {
    let sum = 0;
    let back = 0;
    for (let window = 0; window < windows.length; window++) {
      const steps = windows[window] as number; // window is below the number of windows
      for (; back < steps; back++)
        sum += shiftedFactor(factors, { slot: slot - back, slots }, shift, stepMinutes);
      highs[window] = Math.max(highs[window] as number, sum / steps);
      lows[window] = Math.min(lows[window] as number, sum / steps);
      if (shift === 0) factors.events[window] = sum * eventsOfMean * (1 + (2 * SHIFT_MINUTES) / stepMinutes);
    }
  }
}

/** @returns the events that a factor of 1 rests on */
function fillSlots(factors: Float64Array, state: SeriesState, slots: number): number {
  const days = Math.min(MEAN_DAYS, Math.max(0, (state.age - state.windowSteps) / slots));
  let [sum, known] = [0, 0];
  for (let slot = 0; slot < slots; slot++) {
    const rate = meanOfSlot(state, slot);
    factors[slot] = rate;
    if (Number.isNaN(rate)) continue;
    sum += rate;
    known++;
  }
  const eventsOfMean = PRIOR_EVENTS + (known === 0 ? 0 : (days * sum) / known);
  for (let slot = 0; slot < slots; slot++) {
    const rate = factors[slot] as number; // below the number of slots
    factors[slot] = Number.isNaN(rate) ? 1 : (PRIOR_EVENTS + days * rate) / eventsOfMean;
  }
  return eventsOfMean;
}

/** Returns the least and the largest factor within an hour of a slot. */
export function factorsAround(
  factors: DayFactors,
  place: Pick<SeasonalPosition, 'slot' | 'slots'>,
  { stepMinutes }: Resolution,
): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  const reach = shiftsOf(stepMinutes);
  for (let shift = -reach; shift <= reach; shift++) {
    const factor = shiftedFactor(factors, place, shift, stepMinutes);
    low = Math.min(low, factor);
    high = Math.max(high, factor);
  }
  return { low, high };
}

/** Returns the whole steps up to an hour; 1 where a step is longer. */
function shiftsOf(stepMinutes: number): number {
  return Math.max(1, Math.floor(SHIFT_MINUTES / stepMinutes));
}

/** Returns the factor of a shifted slot. One that is longer than an hour takes a part of its neighbour's. */
function shiftedFactor(
  { slots: factors }: DayFactors,
  { slot, slots }: Pick<SeasonalPosition, 'slot' | 'slots'>,
  shift: number,
  stepMinutes: number,
): number {
  const part = Math.min(1, SHIFT_MINUTES / stepMinutes);
  // Windows are at most two days long.
  const own = factors[(slot + 2 * slots) % slots] as number;
  const other = factors[(slot + shift + 2 * slots) % slots] as number;
  return (1 - part) * own + part * other;
}

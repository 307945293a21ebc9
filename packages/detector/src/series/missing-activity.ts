import {
  LONG_WINDOW_MINUTES,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  type Resolution,
} from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN } from '../state/side.ts';
import { type Exceedance, isOpen, minutesSinceOpening } from './alarm-state.ts';
import { evidenceDown, isDrop, isHeldDrop, MIN_EVENTS, sizeOfDrop } from './evidence.ts';
import { usualOfWeek } from './learn-seasonality.ts';
import { bandOfWeek, isSeasonal, SHIFT_MINUTES } from './seasonality.ts';
import { lowerMean, meanOfSlots } from './slot-means.ts';
import type { WindowCounts } from './windows.ts';
import type { StepPlace } from './workspace.ts';

/**
 * Share of the usual rate of the time of the day below which counts drop, by `isDrop`: 0.7 of it, about a quarter of the usual.
 * A level that follows the night cannot show that a working morning does not come. A holiday of a shop brings a third.
 */
const USUAL_SHARE = 0.4;
/** Minimum length of a window: shorter ones show no more of activity that has been missing for an hour. */
const MIN_WINDOW_MINUTES = 10;
/** Shape of the mean of days, which counts as known: `USUAL_SHARE` allows for the differences between days. */
const SHAPE = Number.POSITIVE_INFINITY;

/** Share of lost activity that stays usual. */
const LOST_SHARE = 0.25;

/**
 * Returns the rate that is usual now and an hour before and after: the least of the slots' means over days, and not more than
 * last week's low of the hour, so that weekends and closing days are usual. Our own; a mean over past periods as the expectation
 * is that of Farrington et al. (1996).
 * @returns 0 where it is not known: a week has to have been seen
 */
export function usualRate(state: SeriesState, season: StepPlace): number {
  return state.age * season.resolution.stepMinutes < MINUTES_PER_WEEK ? 0 : rateOfSeason(state, season);
}

function rateOfSeason(state: SeriesState, { resolution, position }: StepPlace): number {
  const reach = Math.ceil(SHIFT_MINUTES / resolution.slotMinutes);
  const { low } = bandOfWeek(state, position);
  return Number.isFinite(low) ? Math.min(low, meanOfSlots(state, position, reach)) : 0;
}

/** Activity that is missing from the usual. */
export interface MissingActivity {
  /** True if it holds an alarm, for a day at most. */
  isHeld: boolean;
  /** Strongest of the windows; null while an alarm is open, and where none exceeds its open threshold. */
  exceedance: Exceedance | null;
}

const NOTHING: MissingActivity = { isHeld: false, exceedance: null };

/** @param expectedRate rate of the level and the band, which find everything where the usual rate demands no more */
export function findMissingActivity(
  state: SeriesState,
  season: StepPlace,
  windows: WindowCounts,
  expectedRate: number,
): MissingActivity {
  const { resolution, position } = season;
  if (USUAL_SHARE * meanOfSlots(state, position, 0) <= expectedRate) return NOTHING;
  const rate = usualRate(state, season);
  if (USUAL_SHARE * rate <= expectedRate) return NOTHING;
  const hasAlarm = isOpen(state, DOWN);
  const mayHold = hasAlarm && minutesSinceOpening(state, resolution, DOWN) < MINUTES_PER_DAY;
  const missing: MissingActivity = { isHeld: false, exceedance: null };
  let strongest = 1;
  for (let window = 0; window < resolution.windows.length; window++) {
    const knownSteps = windows.known[window] as number; // window is below the number of windows
    if (knownSteps * resolution.stepMinutes < MIN_WINDOW_MINUTES / 2) continue;
    if ((resolution.windows[window] as number) * resolution.stepMinutes < MIN_WINDOW_MINUTES) continue;
    const observed = windows.observed[window] as number;
    const least = USUAL_SHARE * rate * knownSteps;
    const evidence = evidenceDown(observed, least, sizeOfDrop(state.dispersion, SHAPE, least, knownSteps));
    missing.isHeld ||= mayHold && isHeldDrop(observed, least);
    const openThreshold = state.openThreshold(DOWN, window);
    if (hasAlarm || evidence <= strongest * openThreshold || !isDrop(observed, least)) continue;
    strongest = evidence / openThreshold;
    const usual = usualOfKind(state, season, rate, knownSteps);
    const counts = { side: DOWN, window, knownSteps, observed } as const;
    missing.exceedance = { ...counts, ...usual, evidence, openThreshold };
  }
  return missing;
}

/**
 * Returns the expected count that is reported: last week's of this kind of day, where the mean of all days is less. A sender of
 * weekends has no such mean on any day.
 */
function usualOfKind(
  state: SeriesState,
  { resolution, position }: StepPlace,
  rate: number,
  knownSteps: number,
): Pick<Exceedance, 'expected' | 'season'> {
  const { low } = bandOfWeek(state, position);
  const ofWeek = usualOfWeek(state, low, Math.ceil(LONG_WINDOW_MINUTES / resolution.stepMinutes));
  const season = ofWeek > rate && isSeasonal(ofWeek, rate) ? 'week' : 'day';
  return { expected: knownSteps * Math.max(rate, ofWeek), season };
}

/**
 * Returns an upper bound of the evidence for missing activity if nothing comes: the share of the usual events of so many steps in
 * this slot of the day and hour of the week; 0 below `MIN_EVENTS`, where none opens an alarm.
 */
export function mostMissing(state: SeriesState, season: StepPlace, steps: number): number {
  const { resolution, position } = season;
  // The least of more slots is no more.
  if (USUAL_SHARE * steps * meanOfSlots(state, position, 0) < MIN_EVENTS) return 0;
  const agedBySlot = state.age * resolution.stepMinutes + resolution.slotMinutes;
  const most = agedBySlot < MINUTES_PER_WEEK ? 0 : USUAL_SHARE * steps * rateOfSeason(state, season);
  return most < MIN_EVENTS ? 0 : most;
}

/**
 * Lowers the usual rate after a drop has closed. Where the usual activity has not come back, as in the evening, a quarter of it
 * stays usual at the times of the day in which it was missing: activity that never comes back is reported twice.
 */
export function forgetLostActivity(state: SeriesState, season: StepPlace, windows: WindowCounts): void {
  const { resolution, position } = season;
  const longest = resolution.windows.length - 1;
  const rate = (windows.observed[longest] as number) / (windows.known[longest] as number);
  if (rate >= USUAL_SHARE * state.levelBefore(DOWN)) return;
  const { slot, slots } = position;
  const lost = (minutesSinceOpening(state, resolution, DOWN) + SHIFT_MINUTES) / resolution.slotMinutes + 1;
  for (let back = 0; back <= Math.min(slots - 1, lost); back++) {
    lowerMean(state, (slot + slots - back) % slots, LOST_SHARE);
  }
}

/** Takes a step into the mean of its slot, unless the slot is no longer than a step. */
export function learnSlot(state: SeriesState, resolution: Resolution, count: number): void {
  if (resolution.slotMinutes <= resolution.stepMinutes || isOpen(state, DOWN)) return;
  state.setSlot(state.slotSum + count, state.slotSteps + 1);
}

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
import type { SeasonalPosition } from './seasonal-position.ts';
import { bandOfWeek, isSeasonal, SHIFT_MINUTES } from './seasonality.ts';
import { lowerMean, meanOfSlots } from './slot-means.ts';
import type { WindowCounts } from './windows.ts';

/**
 * A level that follows the night cannot show that a working morning does not come. So less than a quarter or so of what
 * is usual at this time of the day is a drop as well: 0.7 (`isDrop`) of this share. A holiday of a shop brings a third.
 */
const USUAL_SHARE = 0.4;
/** Shorter windows say nothing more about what has been missing for an hour. */
const MIN_WINDOW_MINUTES = 10;
/** That days differ is in `USUAL_SHARE`; the mean of days counts as known. */
const SHAPE = Number.POSITIVE_INFINITY;

/** Part of lost activity that stays usual. */
const LOST_SHARE = 0.25;

/** What of the season a series is evaluated in. */
interface Season {
  resolution: Resolution;
  position: SeasonalPosition;
}

/**
 * The rate that is usual now and an hour before and after: the least of the slots' means over days, and not more than last
 * week's low of the hour, so that weekends and closing days are usual. Our own; a mean over past periods as the expectation
 * is that of Farrington et al. (1996).
 * @returns 0 where it is not known: a week has to have been seen
 */
export function usualRate(state: SeriesState, season: Season): number {
  return state.age * season.resolution.stepMinutes < MINUTES_PER_WEEK ? 0 : rateOfSeason(state, season);
}

function rateOfSeason(state: SeriesState, { resolution, position }: Season): number {
  const reach = Math.ceil(SHIFT_MINUTES / resolution.slotMinutes);
  const { low } = bandOfWeek(state, position);
  return Number.isFinite(low) ? Math.min(low, meanOfSlots(state, position, reach)) : 0;
}

/** What is missing of what is usual now. */
export interface MissingActivity {
  /** Holds an alarm, for a day at most. */
  isHeld: boolean;
  /** The strongest of the windows; null while an alarm is open, and where none exceeds its open threshold. */
  exceedance: Exceedance | null;
}

const NOTHING: MissingActivity = { isHeld: false, exceedance: null };

/** @param expectedRate of the level and the band: where the usual rate demands no more, they find everything */
export function findMissingActivity(
  state: SeriesState,
  season: Season,
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
 * What is reported as usual: that of this kind of day, last week's, where the mean of all days is less. A sender of weekends
 * has no such mean on any day.
 */
function usualOfKind(
  state: SeriesState,
  { resolution, position }: Season,
  rate: number,
  knownSteps: number,
): Pick<Exceedance, 'expected' | 'season'> {
  const { low } = bandOfWeek(state, position);
  const ofWeek = usualOfWeek(state, low, Math.ceil(LONG_WINDOW_MINUTES / resolution.stepMinutes));
  const season = ofWeek > rate && isSeasonal(ofWeek, rate) ? 'week' : 'day';
  return { expected: knownSteps * Math.max(rate, ofWeek), season };
}

/**
 * The largest window's share of what is usual in this slot of the day, and hour of the week: if nothing comes, the evidence
 * that it is missing is no more than that, and none opens an alarm below `MIN_EVENTS`.
 */
export function mostMissing(state: SeriesState, season: Season, steps: number): number {
  const { resolution, position } = season;
  // The least of more slots is no more.
  if (USUAL_SHARE * steps * meanOfSlots(state, position, 0) < MIN_EVENTS) return 0;
  const agedBySlot = state.age * resolution.stepMinutes + resolution.slotMinutes;
  const most = agedBySlot < MINUTES_PER_WEEK ? 0 : USUAL_SHARE * steps * rateOfSeason(state, season);
  return most < MIN_EVENTS ? 0 : most;
}

/**
 * An alarm of too little has closed. Where what was usual has not come back since, as in the evening, it is usual no more
 * for the times of the day in which it was missing: a quarter is, and what never comes back is reported twice.
 */
export function forgetLostActivity(state: SeriesState, season: Season, windows: WindowCounts): void {
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

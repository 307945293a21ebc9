import { MINUTE_MS } from '../state/durations.ts';
import { RATE } from '../state/log-code.ts';
import type { Resolution } from '../state/resolution.ts';
import { HOUR_OF_WEEK, type Period, SLOT_OF_DAY } from '../state/series-head.ts';
import type { SeriesState } from '../state/series-state.ts';
import { MIN_RISE } from './evidence.ts';
import { type SeasonalPosition, seasonalPositionOf } from './seasonal-position.ts';
import { endSlot } from './slot-means.ts';

/** Highest and lowest rate that the same time of yesterday, or of last week, makes normal. */
export interface SeasonalBand {
  high: number;
  low: number;
}

/**
 * Begins a step of the seasonal band: of slots of 15 minutes of the day, overwritten daily, and of the hours of the week. A slot
 * is written only when the second one after it begins, so that the slots before, at and after the current time all still
 * hold yesterday: a series may come a little early or late. (Our own; Farrington et al., 1996, compare with the same
 * weeks of past years and their neighbours in the same spirit.)
 */
export function beginStep(state: SeriesState, position: SeasonalPosition): void {
  const { slot, slots, slotBegins, hour, hours, hourBegins } = position;
  if (slotBegins) writeBand(state, SLOT_OF_DAY, slot, slots);
  if (hourBegins) writeBand(state, HOUR_OF_WEEK, hour, hours);
  if (slotBegins) endSlot(state, position);
}

/**
 * Does what `beginStep` would have done in the steps of [fromMs, toMs), which are not evaluated.
 * The second beginning of a period has written all that is known; there is nothing to write at later ones.
 */
export function beginSkippedPeriods(
  state: SeriesState,
  resolution: Resolution,
  fromMs: number,
  toMs: number,
): void {
  const stepMs = resolution.stepMinutes * MINUTE_MS;
  for (let timeMs = fromMs, hours = 0; timeMs < toMs && hours < 2; timeMs += stepMs) {
    const position = seasonalPositionOf(resolution, timeMs);
    if (position.hourBegins) hours++;
    if (position.slotBegins || position.hourBegins) beginStep(state, position);
  }
}

/** Returns the highest rate of yesterday's slot and its neighbours; 0 where nothing is known of yesterday. */
export function highestOfDay(state: SeriesState, { slot, slots }: SeasonalPosition): number {
  const before = state.highCode(SLOT_OF_DAY, (slot + slots - 1) % slots);
  const after = state.highCode(SLOT_OF_DAY, (slot + 1) % slots);
  return RATE.decode(Math.max(before, state.highCode(SLOT_OF_DAY, slot), after));
}

/** Returns the lowest rate likewise; infinite where nothing is known of yesterday. */
export function lowestOfDay(state: SeriesState, { slot, slots }: SeasonalPosition): number {
  let lowest = 0;
  for (let offset = slots - 1; offset <= slots + 1; offset++) {
    const code = state.lowCode(SLOT_OF_DAY, (slot + offset) % slots);
    if (code > 0 && (lowest === 0 || code < lowest)) lowest = code;
  }
  return toLow(lowest);
}

/** Returns the lowest rate of yesterday's hour; infinite where nothing is known of it. */
export function lowestOfYesterdaysHour(state: SeriesState, { hour, hours }: SeasonalPosition): number {
  return toLow(state.lowCode(HOUR_OF_WEEK, (hour + hours - Math.round(hours / 7)) % hours));
}

/**
 * Returns the medians of last week's three hours around: the edge of working hours is known even where it comes a little early or
 * late, and an incident of last week does not hide the one of this week.
 */
export function bandOfWeek(state: SeriesState, { hour, hours }: SeasonalPosition): SeasonalBand {
  const [before, after] = [(hour + hours - 1) % hours, (hour + 1) % hours];
  const high = (index: number) => state.highCode(HOUR_OF_WEEK, index);
  const low = (index: number) => state.lowCode(HOUR_OF_WEEK, index);
  return {
    high: RATE.decode(medianOfThree(high(before), high(hour), high(after))),
    low: toLow(medianOfThree(low(before), low(hour), low(after))),
  };
}

/** Ratio of a working day, one of five, to the mean of all seven, and a little more. */
const WORKING_DAYS_FACTOR = 1.5;
/** Shift by which clocks are set, and a day may begin early or late. */
export const SHIFT_MINUTES = 60;

/**
 * Returns the highest rate that is normal where the day begins or ends up to an hour off, as clocks are set: that of last week's
 * three hours around, bounded by the means of days within an hour. So an incident of last week raises it by the seventh part
 * that it has in the mean.
 * @returns 0 away from the edges of the day, where a day that begins early would be no rise
 */
export function shiftedHigh(
  state: SeriesState,
  resolution: Resolution,
  { slot, slots, hour, hours }: SeasonalPosition,
): number {
  const reach = Math.ceil(SHIFT_MINUTES / resolution.slotMinutes);
  // A slot that is longer than an hour has a part of its neighbour.
  const part = Math.min(1, SHIFT_MINUTES / resolution.slotMinutes);
  const own = RATE.decode(state.meanCode(slot));
  let code = 0;
  for (let offset = -reach; offset <= reach; offset++) {
    code = Math.max(code, state.meanCode((slot + offset + slots) % slots));
  }
  const mean = (1 - part) * own + part * RATE.decode(code);
  if (mean < MIN_RISE * own) return 0;
  const highOf = (index: number) => RATE.decode(state.highCode(HOUR_OF_WEEK, (index + hours) % hours));
  const high = highOf(hour);
  const highest = Math.max(high, (1 - part) * high + part * Math.max(highOf(hour - 1), highOf(hour + 1)));
  return Math.min(highest, WORKING_DAYS_FACTOR * mean);
}

/** Minimum ratio of an expectation to the level that makes it seasonal; a round number of our own. */
const MIN_SEASONAL_RATIO = 1.25;

/** True if the usual rate of the time differs from that of any time. */
export function isSeasonal(rate: number, level: number): boolean {
  return Math.max(rate, level) >= MIN_SEASONAL_RATIO * Math.min(rate, level);
}

/** Writes the period before the one that ended, and begins the next one. */
function writeBand(state: SeriesState, period: Period, index: number, length: number): void {
  const ended = (index + length - 2) % length;
  const [high, low] = [state.previousHigh(period), state.previousLow(period)];
  if (!Number.isNaN(high)) state.setHighCode(period, ended, RATE.encode(high));
  if (!Number.isNaN(low)) state.setLowCode(period, ended, RATE.encode(low));
  state.beginBand(period);
}

function medianOfThree(before: number, own: number, after: number): number {
  return Math.max(Math.min(before, own), Math.min(after, Math.max(before, own)));
}

function toLow(code: number): number {
  return code === 0 ? Number.POSITIVE_INFINITY : RATE.decode(code);
}

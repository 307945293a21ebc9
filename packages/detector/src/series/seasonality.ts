import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '../state/durations.ts';
import { LogCode } from '../state/log-code.ts';
import { modulo } from '../state/modulo.ts';
import type { Resolution } from '../state/resolution.ts';
import {
  HOUR_OF_WEEK,
  type Period,
  PREVIOUS_HIGH,
  PREVIOUS_LOW,
  RUNNING_HIGH,
  RUNNING_LOW,
  SLOT_OF_DAY,
} from '../state/series-head.ts';
import type { SeriesState } from '../state/series-state.ts';
import { MIN_RISE } from './evidence.ts';
import type { WindowCounts } from './windows.ts';

/** Rates per step. */
const RATE = new LogCode(1e-4, 1e7);
/** The code of the lowest rate that is known. */
const NEARLY_ZERO = 1;

/** Where a step stands in the day and in the week; the same for all series of a project. */
export interface SeasonalPosition {
  slot: number;
  slots: number;
  /** Of the week; longer than an hour where a step is. */
  hour: number;
  hours: number;
  slotBegins: boolean;
  hourBegins: boolean;
}

/** The highest and the lowest rate that the same time of yesterday, or of last week, makes normal. */
export interface SeasonalBand {
  high: number;
  low: number;
}

export function seasonalPositionOf(resolution: Resolution, timeMs: number): SeasonalPosition {
  const stepMs = resolution.stepMinutes * MINUTE_MS;
  const slotMs = resolution.slotMinutes * MINUTE_MS;
  const hourMs = Math.max(HOUR_MS, stepMs);
  const dayMs = modulo(timeMs, DAY_MS);
  const weekMs = modulo(timeMs, WEEK_MS);
  return {
    slot: Math.floor(dayMs / slotMs),
    slots: Math.ceil(DAY_MS / slotMs),
    hour: Math.floor(weekMs / hourMs),
    hours: Math.ceil(WEEK_MS / hourMs),
    slotBegins: modulo(dayMs, slotMs) < stepMs,
    hourBegins: modulo(weekMs, hourMs) < stepMs,
  };
}

/**
 * The seasonal band: slots of 15 minutes of the day, overwritten daily, and the hours of the week. A slot that ended is
 * written only when the second one after it begins, so that the slot before, the current and the next one all still
 * hold yesterday: a series may come a little early or late. (Our own; Farrington et al., 1996, compare with the same
 * weeks of past years and their neighbours in the same spirit.)
 */
export function beginStep(state: SeriesState, position: SeasonalPosition): void {
  const { slot, slots, slotBegins, hour, hours, hourBegins } = position;
  if (slotBegins) writeBand(state, SLOT_OF_DAY, slot, slots);
  if (hourBegins) writeBand(state, HOUR_OF_WEEK, hour, hours);
  if (slotBegins) {
    beginBand(state, SLOT_OF_DAY);
    endSlot(state, position);
  }
  if (hourBegins) beginBand(state, HOUR_OF_WEEK);
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

/** A silence this long counts as a night, which comes every day: most outages are shorter. */
export const NIGHT_MINUTES = 4 * 60;

/**
 * Makes silence normal in the slots and hours of a night; not yet in those beside the current one, which would close
 * its alarm.
 */
export function markNight(state: SeriesState, resolution: Resolution, position: SeasonalPosition): void {
  const { slot, slots, hour, hours } = position;
  const hourMinutes = Math.max(60, resolution.stepMinutes);
  for (let back = 2; back * resolution.slotMinutes <= NIGHT_MINUTES; back++) {
    state.setLowCode(SLOT_OF_DAY, modulo(slot - back, slots), NEARLY_ZERO);
  }
  for (let back = 2; back * hourMinutes <= NIGHT_MINUTES; back++) {
    state.setLowCode(HOUR_OF_WEEK, modulo(hour - back, hours), NEARLY_ZERO);
  }
}

/** Chosen on NAB's taxi rides at half an hour: every weekend morning was a drop from last week's low and its margin. */
const MAX_LOW_MARGIN = 0.25;

/**
 * The rate of a window, less two standard deviations, extends the band of the slot and of the hour that run.
 * @param isLong half an hour or more
 */
export function extendBand(state: SeriesState, observed: number, steps: number, isLong: boolean): void {
  const { dispersion } = state;
  const margin = marginOf(dispersion, observed);
  // A short lull of yesterday must not hide the outage of today.
  const low = isLong ? lowOf(observed, steps, margin, dispersion) : Number.NaN;
  state.extendBands((observed - margin) / steps, low);
}

/** The same of all windows that end with a step, at once. Lows are limited by day alone: what repeats weekly is usual. */
export function extendBandByWindows(
  state: SeriesState,
  { windows: lengths, firstLongWindow }: Resolution,
  { known, observed: counts }: Pick<WindowCounts, 'known' | 'observed'>,
  limits?: SeasonalBand,
): void {
  const { dispersion } = state;
  // Not known yet: nothing compares with NaN, so comparisons are negated.
  let high = Number.NaN;
  let low = Number.NaN;
  for (let window = 0; window < lengths.length; window++) {
    const steps = known[window] as number; // window is below the number of windows
    const observed = counts[window] as number;
    if (steps === 0) continue;
    const margin = marginOf(dispersion, observed);
    const highOfWindow = (observed - margin) / steps;
    if (!(highOfWindow <= high)) high = highOfWindow;
    if (window < firstLongWindow) continue;
    const lowOfWindow = lowOf(observed, steps, margin, dispersion);
    if (!(lowOfWindow >= low)) low = lowOfWindow;
  }
  if (limits) state.extendBands(Math.min(high, limits.high), low, Math.max(low, limits.low));
  else state.extendBands(high, low);
}

/** Two standard deviations. */
function marginOf(dispersion: number, observed: number): number {
  return 2 * Math.sqrt(dispersion * observed);
}

/** Where φ was learned from the ramps of long steps, two deviations would be more than the count itself. */
function lowOf(observed: number, steps: number, margin: number, dispersion: number): number {
  return (observed + Math.min(margin + 4 * dispersion, MAX_LOW_MARGIN * observed)) / steps;
}

/** Rate of last week's whole hour; `bandOfWeek` has its low, which held for at least half an hour. */
export function usualOfWeek(
  { dispersion }: Pick<SeriesState, 'dispersion'>,
  low: number,
  stepsOfHalfHour: number,
): number {
  const extended = low * stepsOfHalfHour;
  const root = Math.sqrt(Math.max(0, extended - 3 * dispersion)) - Math.sqrt(dispersion);
  return Math.max(extended / (1 + MAX_LOW_MARGIN), Math.max(0, root) ** 2) / stepsOfHalfHour;
}

/** Days that the mean of a slot remembers: with a week each of its days counts once. */
export const MEAN_DAYS = 7;

/**
 * Takes the slot that ended into its mean, discounted by the day (West & Harrison, 1997). A code is a tenth of a rate;
 * a mean moves by one at least towards what is further off, so rounding never stops it.
 */
function endSlot(state: SeriesState, { slot, slots }: SeasonalPosition): void {
  const { slotSum, slotSteps } = state;
  if (slotSteps === 0) return;
  state.setSlot(0, 0);
  learnMean(state, (slot + slots - 1) % slots, slotSum / slotSteps);
}

/** Takes the rate of a slot that has ended into its mean. */
export function learnMean(state: SeriesState, ended: number, rate: number): void {
  const code = state.meanCode(ended);
  if (code === 0) {
    state.setMeanCode(ended, RATE.encode(rate));
    return;
  }
  const mean = RATE.decode(code);
  const moved = RATE.encode(mean + (rate - mean) / MEAN_DAYS);
  const distance = RATE.encode(rate) - code;
  state.setMeanCode(ended, moved === code && Math.abs(distance) > 1 ? code + Math.sign(distance) : moved);
}

/** Makes less usual in a slot. */
export function lowerMean(state: SeriesState, slot: number, share: number): void {
  const code = state.meanCode(slot);
  if (code > 0) state.setMeanCode(slot, RATE.encode(share * RATE.decode(code)));
}

/** The mean of a slot over days; NaN where it is not known. */
export function meanOfSlot(state: SeriesState, slot: number): number {
  const code = state.meanCode(slot);
  return code === 0 ? Number.NaN : RATE.decode(code);
}

/** The least mean of the slot and so many before and after it; 0 where one is not known. */
export function meanOfSlots(state: SeriesState, { slot, slots }: SeasonalPosition, reach: number): number {
  let least = 255;
  for (let offset = reach === 0 ? 0 : -reach - 1; offset <= reach; offset++) {
    least = Math.min(least, state.meanCode((slot + offset + slots) % slots));
  }
  return RATE.decode(least);
}

/** The largest mean of the slot and its neighbours. */
export function highestMean(state: SeriesState, { slot, slots }: SeasonalPosition): number {
  const code = (offset: number) => state.meanCode((slot + offset + slots) % slots);
  return RATE.decode(Math.max(code(-1), code(0), code(1)));
}

/** The highest rate of yesterday's slot and its neighbours; 0 where nothing is known of yesterday. */
export function highestOfDay(state: SeriesState, { slot, slots }: SeasonalPosition): number {
  const before = state.highCode(SLOT_OF_DAY, (slot + slots - 1) % slots);
  const after = state.highCode(SLOT_OF_DAY, (slot + 1) % slots);
  return RATE.decode(Math.max(before, state.highCode(SLOT_OF_DAY, slot), after));
}

/** The lowest; infinite where nothing is known of yesterday. */
export function lowestOfDay(state: SeriesState, { slot, slots }: SeasonalPosition): number {
  let lowest = 0;
  for (let offset = slots - 1; offset <= slots + 1; offset++) {
    const code = state.lowCode(SLOT_OF_DAY, (slot + offset) % slots);
    if (code > 0 && (lowest === 0 || code < lowest)) lowest = code;
  }
  return toLow(lowest);
}

/** The lowest rate of yesterday's hour; infinite where nothing is known of it. */
export function lowestOfYesterdaysHour(state: SeriesState, { hour, hours }: SeasonalPosition): number {
  return toLow(state.lowCode(HOUR_OF_WEEK, (hour + hours - Math.round(hours / 7)) % hours));
}

/**
 * The median of last week's three hours around: the edge of working hours is known even where it comes a little early or
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

/** A working week of five days is this many times the mean of its seven, and a little. */
const WORKING_DAYS_FACTOR = 1.5;
/** As far as clocks are set, and as a day may begin early or late. */
export const SHIFT_MINUTES = 60;

/**
 * The highest rate that is normal where the day begins or ends up to an hour off, as clocks are set: that of last week's
 * three hours around, as far as a mean of days within an hour has anything like it. So an incident of last week raises it
 * by the seventh part that it has in the mean.
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

/** An expectation that is closer to the level is that of any hour; a round number of our own. */
const MIN_SEASONAL_RATIO = 1.25;

/** True if a rate that the time makes usual is another one than that of any time. */
export function isSeasonal(rate: number, level: number): boolean {
  return Math.max(rate, level) >= MIN_SEASONAL_RATIO * Math.min(rate, level);
}

/** Writes the period before the one that ended. */
function writeBand(state: SeriesState, period: Period, index: number, length: number): void {
  const ended = (index + length - 2) % length;
  const high = state.band(period, PREVIOUS_HIGH);
  const low = state.band(period, PREVIOUS_LOW);
  if (!Number.isNaN(high)) state.setHighCode(period, ended, RATE.encode(high));
  if (!Number.isNaN(low)) state.setLowCode(period, ended, RATE.encode(low));
}

/** Begins a new period. */
function beginBand(state: SeriesState, period: Period): void {
  state.setBand(period, PREVIOUS_HIGH, state.band(period, RUNNING_HIGH));
  state.setBand(period, PREVIOUS_LOW, state.band(period, RUNNING_LOW));
  state.setBand(period, RUNNING_HIGH, Number.NaN);
  state.setBand(period, RUNNING_LOW, Number.NaN);
}

function medianOfThree(before: number, own: number, after: number): number {
  return Math.max(Math.min(before, own), Math.min(after, Math.max(before, own)));
}

function toLow(code: number): number {
  return code === 0 ? Number.POSITIVE_INFINITY : RATE.decode(code);
}

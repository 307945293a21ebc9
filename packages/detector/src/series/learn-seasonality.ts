import { modulo } from '../state/modulo.ts';
import type { Resolution } from '../state/resolution.ts';
import { HOUR_OF_WEEK, SLOT_OF_DAY } from '../state/series-head.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN } from '../state/side.ts';
import { minutesSinceOpening } from './alarm-state.ts';
import type { SeasonalPosition } from './seasonal-position.ts';
import type { SeasonalBand } from './seasonality.ts';
import type { WindowCounts } from './windows.ts';

/** Chosen on NAB's taxi rides at half an hour: every weekend morning was a drop from last week's low and its margin. */
const MAX_LOW_MARGIN = 0.25;

/**
 * Extends the seasonal band of the running slot and hour by the rates of the windows that end with a step, narrowed by about two
 * standard deviations. Only windows of half an hour and more extend the lows: a short lull of yesterday must not hide the
 * outage of today.
 * @param limits missing: none. Lows are limited by day alone: a weekly pattern is usual
 */
export function learnSeasonality(
  state: SeriesState,
  { windows: lengths, firstLongWindow }: Pick<Resolution, 'windows' | 'firstLongWindow'>,
  { known, observed: counts }: Pick<WindowCounts, 'known' | 'observed'>,
  limits?: SeasonalBand,
): void {
  const longest = lengths.length - 1;
  // No window holds an event: all have the rate 0, without a margin.
  if (!limits && counts[longest] === 0 && known[longest] !== 0) {
    state.extendBands(0, 0);
    return;
  }
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

/** Returns two standard deviations. */
function marginOf(dispersion: number, observed: number): number {
  return 2 * Math.sqrt(dispersion * observed);
}

/** Returns the low of a window. Where φ was learned from the ramps of long steps, two deviations exceed the count itself. */
function lowOf(observed: number, steps: number, margin: number, dispersion: number): number {
  return (observed + Math.min(margin + 4 * dispersion, MAX_LOW_MARGIN * observed)) / steps;
}

/** Returns the rate of last week's whole hour from its low in `bandOfWeek`, which held for at least half an hour. */
export function usualOfWeek(
  { dispersion }: Pick<SeriesState, 'dispersion'>,
  low: number,
  stepsOfHalfHour: number,
): number {
  const extended = low * stepsOfHalfHour;
  const root = Math.sqrt(Math.max(0, extended - 3 * dispersion)) - Math.sqrt(dispersion);
  return Math.max(extended / (1 + MAX_LOW_MARGIN), Math.max(0, root) ** 2) / stepsOfHalfHour;
}

/** Code of the lowest known rate. */
const NEARLY_ZERO = 1;

/** A silence this long counts as a night, which comes every day: most outages are shorter. */
const NIGHT_MINUTES = 4 * 60;

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

import type { Resolution } from '../state/resolution.ts';
import { AT } from '../state/series-state.ts';
import type { SeasonalBand } from './seasonality.ts';

/** What the project lends counts for as much as this many events. */
const LENT_EVENTS = 20;
/** A squared deviation counts for at most this many times what was expected of it. */
const DEVIATION_LIMIT = 16;
/** While an alarm is open, what deviates is no noise: the limits would raise each other until all is normal. */
const OPEN_LIMIT = 1;

/**
 * The dispersion φ, variance over mean, at least Poisson's 1: φ = (20·φ₀ + A)/(20 + B) with sums A of squared
 * deviations and B of the counts they belong to, over 7 days. Slow on purpose: a fast one would take the burst
 * for normal that it should report. A deviation is measured from the nearest of what level and time of day make
 * expected: the steps of working hours are no noise.
 * @param winsorised the count as it goes into the level
 */
export function updateDispersion(
  numbers: Float32Array,
  resolution: Resolution,
  count: number,
  winsorised: number,
  band: SeasonalBand,
  isOpen: boolean,
): void {
  const level = numbers[AT.level] as number;
  const dispersion = numbers[AT.dispersion] as number;
  const limit = (isOpen ? OPEN_LIMIT : DEVIATION_LIMIT) * dispersion * Math.max(level, dispersion);
  const nearest = Math.max(Math.min(level, band.low), Math.min(count, Math.max(level, band.high)));
  const deviation = Math.min((count - nearest) ** 2, limit);
  const expected = (Math.max(level, Math.min(count, winsorised)) + level) / 2;
  const decay = resolution.dispersionDecay;
  const deviations = (numbers[AT.deviations] as number) * decay + deviation;
  const expectations = (numbers[AT.expectations] as number) * decay + expected;
  numbers[AT.deviations] = deviations;
  numbers[AT.expectations] = expectations;
  numbers[AT.dispersion] = Math.max(
    1,
    (LENT_EVENTS * (numbers[AT.lentDispersion] as number) + deviations) / (LENT_EVENTS + expectations),
  );
}

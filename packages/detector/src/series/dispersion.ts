import { DISPERSION_PRIOR_EVENTS } from '../calibration/pooled-dispersion.ts';
import type { Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import type { SeasonalBand } from './seasonality.ts';

/** A squared deviation counts for at most this many times what was expected of it. */
export const DEVIATION_LIMIT = 16;

/** Deviation of a step, which the dispersion learns from. */
export interface Deviation {
  count: number;
  /** Count as the level learns it. */
  winsorised: number;
  band: SeasonalBand;
  /** Expected count. */
  level: number;
  hasOpenAlarm: boolean;
}

/**
 * Learns the dispersion φ, variance over mean, as in quasi-likelihood (McCullagh & Nelder, 1989):
 * φ = max(1, (20·φ₀ + A)/(20 + B)) with discounted sums A of squared deviations and B of the counts they belong to,
 * over 7 days, and φ₀ of the project's other series. Deviations from Pearson's estimate, our own: each is measured from
 * the nearest of the rates that level and time of day make expected (working hours are no noise) and limited to 16φ times the
 * expected (a burst that should be reported must not count as normal), and φ is never below Poisson's 1.
 *
 * Domain: counts ≥ 0. Error: see `predict` in level.ts.
 */
export function updateDispersion(state: SeriesState, resolution: Resolution, deviation: Deviation): void {
  const { count, winsorised, band, hasOpenAlarm, level } = deviation;
  const { dispersion } = state;
  // While an alarm is open, deviations are not noise: limits that grow with φ would raise φ until all is normal.
  const limit = (hasOpenAlarm ? 1 : DEVIATION_LIMIT) * dispersion * Math.max(level, dispersion);
  const nearest = Math.max(Math.min(level, band.low), Math.min(count, Math.max(level, band.high)));
  const squared = Math.min((count - nearest) ** 2, limit);
  const expected = (Math.max(level, Math.min(count, winsorised)) + level) / 2;
  const decay = resolution.dispersionDecay;
  const deviations = state.deviations * decay + squared;
  const expectations = state.expectations * decay + expected;
  state.deviations = deviations;
  state.expectations = expectations;
  state.dispersion = Math.max(
    1,
    (DISPERSION_PRIOR_EVENTS * state.pooledDispersion + deviations) /
      (DISPERSION_PRIOR_EVENTS + expectations),
  );
}

import type { SeriesState } from '../state/series-state.ts';
import { type AllStates, binOf, LEVEL_BINS, spreadOverBins } from './level-bins.ts';

/** Weight of the prior of a dispersion, in events. */
export const DISPERSION_PRIOR_EVENTS = 20;
/** Weight of the prior before the project has shown anything, a dispersion of two. */
const PRIOR_WEIGHT = 0.1;

/**
 * Sets φ₀ of each series, the pooled dispersion of the project's other series: the exponential of the mean of their ln φ,
 * weighted by e^(−|ln(m/mⱼ)|/1.5)·Bⱼ/(Bⱼ + 20), B the counts that each φ was estimated from. Partial pooling with a
 * kernel of our own; levels are rounded to bins of a factor of e^1.5.
 */
export function poolDispersion(all: AllStates): void {
  const bins = Array.from({ length: LEVEL_BINS }, () => ({ weight: 0, log: 0 }));
  all.forEach((state) => {
    const bin = bins[binOf(state)];
    if (!bin) return;
    const weight = weightOf(state);
    bin.weight += weight;
    bin.log += weight * Math.log(state.dispersion);
  });
  const shared = spreadOverBins(bins, ['weight', 'log']);
  all.forEach((state) => {
    const around = shared[binOf(state)];
    if (!around) return;
    const own = weightOf(state);
    const others = Math.max(0, around.weight - own);
    const sum = around.log - own * Math.log(state.dispersion);
    const mean = (sum + PRIOR_WEIGHT * Math.LN2) / (others + PRIOR_WEIGHT);
    state.pooledDispersion = Math.exp(Math.max(0, mean));
  });
}

function weightOf({ expectations }: SeriesState): number {
  return expectations / (expectations + DISPERSION_PRIOR_EVENTS);
}

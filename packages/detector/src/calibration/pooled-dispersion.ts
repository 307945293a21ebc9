import type { SeriesState } from '../state/series-state.ts';

/** Series whose levels differ by a factor of e^1.5 share e⁻¹ of their weight. */
const REACH = 1.5;
/** Weight of the prior of a dispersion, in events. */
export const DISPERSION_PRIOR_EVENTS = 20;
/** The prior before the project has shown anything, ln 2, and its weight. */
const PRIOR_LOG_DISPERSION = Math.LN2;
const PRIOR_WEIGHT = 0.1;
/** Series are binned by level, so that pooling costs the series times the bins, not the series squared. */
const BIN = 0.5;
const BINS = 64;
const MIN_LOG_LEVEL = -14;

/** Weight of a bin in the mean of another one, by their distance. */
const REACHES = Float64Array.from({ length: BINS }, (_, distance) => Math.exp((-distance * BIN) / REACH));

/** States of a project's series. Each is valid until the next one, so that one view can serve for all. */
export interface AllStates {
  forEach: (take: (state: SeriesState) => void) => void;
}

/**
 * Sets φ₀ of each series, the pooled dispersion of the project's other series: the exponential of the mean of their ln φ,
 * weighted by e^(−|ln(m/mⱼ)|/1.5)·Bⱼ/(Bⱼ + 20), B the counts that each φ was estimated from. Partial pooling with a
 * kernel of our own; levels are rounded to bins of a factor of e^0.5.
 */
export function poolDispersion(all: AllStates): void {
  const weights = new Float64Array(BINS);
  const sums = new Float64Array(BINS);
  all.forEach((state) => {
    const bin = binOf(state);
    const weight = weightOf(state);
    add(weights, bin, weight);
    add(sums, bin, weight * Math.log(state.dispersion));
  });
  const shared = new Float64Array(BINS);
  const sharedWeights = new Float64Array(BINS);
  for (let to = 0; to < BINS; to++) {
    for (let from = 0; from < BINS; from++) {
      const reach = REACHES[Math.abs(to - from)] as number; // both are below BINS
      add(shared, to, reach * at(sums, from));
      add(sharedWeights, to, reach * at(weights, from));
    }
  }
  all.forEach((state) => {
    const bin = binOf(state);
    const own = weightOf(state);
    const others = Math.max(0, at(sharedWeights, bin) - own);
    const sum = at(shared, bin) - own * Math.log(state.dispersion);
    const mean = (sum + PRIOR_WEIGHT * PRIOR_LOG_DISPERSION) / (others + PRIOR_WEIGHT);
    state.pooledDispersion = Math.exp(Math.max(0, mean));
  });
}

function weightOf({ expectations }: SeriesState): number {
  return expectations / (expectations + DISPERSION_PRIOR_EVENTS);
}

function binOf({ level }: SeriesState): number {
  const bin = Math.round((Math.log(level) - MIN_LOG_LEVEL) / BIN);
  return Math.min(BINS - 1, Math.max(0, bin));
}

function at(values: Float64Array, bin: number): number {
  return values[bin] as number; // `bin` is below BINS
}

function add(values: Float64Array, bin: number, value: number): void {
  values[bin] = at(values, bin) + value;
}

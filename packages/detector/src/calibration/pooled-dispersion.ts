import { AT, type SeriesMemory } from '../state/series-state.ts';

/** Series whose levels differ by a factor of e^1.5 lend each other e⁻¹ of their weight. */
const REACH = 1.5;
const LENT_EVENTS = 20;
/** What is thought of a project before it has shown anything, and how much that weighs. */
const PRIOR_LOG_DISPERSION = Math.LN2;
const PRIOR_WEIGHT = 0.1;
/** Series are gathered by level, so that lending costs the series times these, not the series squared. */
const BIN = 0.5;
const BINS = 64;
const LOWEST_LOG_LEVEL = -14;

/**
 * Lends each series φ₀, the dispersion that the project's other series show: the exponential of the mean of their
 * ln φ, weighted by e^(−|ln(m/mⱼ)|/1.5)·Bⱼ/(Bⱼ + 20).
 */
export function lendDispersion(all: readonly SeriesMemory[]): void {
  const weights = new Float64Array(BINS);
  const sums = new Float64Array(BINS);
  for (const { numbers } of all) {
    const bin = binOf(numbers);
    const weight = weightOf(numbers);
    weights[bin] = (weights[bin] as number) + weight;
    sums[bin] = (sums[bin] as number) + weight * Math.log(numbers[AT.dispersion] as number);
  }
  const shared = new Float64Array(BINS);
  const sharedWeights = new Float64Array(BINS);
  for (let to = 0; to < BINS; to++) {
    for (let from = 0; from < BINS; from++) {
      const reach = Math.exp((-Math.abs(to - from) * BIN) / REACH);
      shared[to] = (shared[to] as number) + reach * (sums[from] as number);
      sharedWeights[to] = (sharedWeights[to] as number) + reach * (weights[from] as number);
    }
  }
  for (const { numbers } of all) {
    const bin = binOf(numbers);
    const own = weightOf(numbers);
    const others = Math.max(0, (sharedWeights[bin] as number) - own);
    const sum = (shared[bin] as number) - own * Math.log(numbers[AT.dispersion] as number);
    const mean = (sum + PRIOR_WEIGHT * PRIOR_LOG_DISPERSION) / (others + PRIOR_WEIGHT);
    numbers[AT.lentDispersion] = Math.exp(Math.max(0, mean));
  }
}

function weightOf(numbers: Float32Array): number {
  const expectations = numbers[AT.expectations] as number;
  return expectations / (expectations + LENT_EVENTS);
}

function binOf(numbers: Float32Array): number {
  const bin = Math.round((Math.log(numbers[AT.level] as number) - LOWEST_LOG_LEVEL) / BIN);
  return Math.min(BINS - 1, Math.max(0, bin));
}

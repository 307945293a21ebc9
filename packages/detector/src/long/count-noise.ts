import { MINUTES_PER_WEEK } from '../state/resolution.ts';
import type { LongLayout, LongState } from './long-state.ts';

const MEMORY_MINUTES = 4 * MINUTES_PER_WEEK;
/** The prior of a fit counts for so many steps. */
const PRIOR_STEPS = 20;
/** A standard deviation of a tenth of the rate. */
export const PRIOR_WANDERING = 0.01;
/** A step of another size says less of the wandering than of the dispersion. */
const PRIOR_SHARE_OF_WANDERING = 0.25;
/** A squared deviation counts for at most so many times the expected one. */
const MAX_SQUARE = 9;

/**
 * Takes a count whose mean is m into its variance φm + vm²: φ is the dispersion of the events, v the relative variance of their
 * rate. Both are a discounted weighted least-squares fit of (n − m)²/m on m, kept at φ ≥ 1 and 0 ≤ v ≤ 1. Series whose means
 * are all alike do not tell them apart: then v takes what a φ of 1 leaves.
 */
export function learnNoise(state: LongState, { stepMinutes }: LongLayout, count: number, mean: number): void {
  const usual = state.dispersion + state.wandering * mean;
  const ratio = Math.min(MAX_SQUARE * usual, (count - mean) ** 2 / mean);
  const weight = usual ** -2;
  const kept = Math.exp(-stepMinutes / MEMORY_MINUTES);
  state.noiseOnes = kept * state.noiseOnes + weight;
  state.noiseMeans = kept * state.noiseMeans + weight * mean;
  state.noiseSquares = kept * state.noiseSquares + weight * mean * mean;
  state.noiseRatios = kept * state.noiseRatios + weight * ratio;
  state.noiseProducts = kept * state.noiseProducts + weight * mean * ratio;
  fit(state, mean, PRIOR_STEPS * weight);
}

function fit(state: LongState, mean: number, prior: number): void {
  const { noiseMeans: means } = state;
  const ofWandering = PRIOR_SHARE_OF_WANDERING * prior * mean * mean;
  const [a, d] = [state.noiseOnes + prior, state.noiseSquares + ofWandering];
  const [y, z] = [state.noiseRatios + prior, state.noiseProducts + ofWandering * PRIOR_WANDERING];
  const wandering = (a * z - means * y) / (a * d - means * means);
  const dispersion = (y - means * wandering) / a;
  state.wandering = Math.min(1, Math.max(0, dispersion < 1 ? (z - means) / d : wandering));
  state.dispersion = Math.max(1, wandering < 0 ? y / a : dispersion);
}

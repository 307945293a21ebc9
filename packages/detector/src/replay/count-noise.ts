/** Weight of the prior of a fit, in steps. */
const PRIOR_STEPS = 20;
/** Prior of the relative variance: a standard deviation of a tenth of the rate. */
export const PRIOR_WANDERING = 0.01;
/** Share of the prior's weight that its wandering has: steps of other means say less of it than of the dispersion. */
const PRIOR_SHARE_OF_WANDERING = 0.25;
/** A squared deviation counts for at most so many times the expected one. */
const MAX_SQUARE = 9;

/**
 * Variance φm + vm² of a count whose mean is m: φ is the dispersion of the events, v the relative variance of their
 * rate. Both are a discounted weighted least-squares fit of (n − m)²/m on m, kept at φ ≥ 1 and 0 ≤ v ≤ 1. Series whose means
 * are all alike do not tell them apart: then v takes the variance beyond a φ of 1.
 */
export class CountNoise {
  dispersion = 1;
  wandering = PRIOR_WANDERING;
  readonly #keptAStep: number;
  /** Discounted sums of the weights w, and of wm, wm², wr and wmr, with r = (n − m)²/m. */
  readonly #sums = { ones: 0, means: 0, squares: 0, ratios: 0, products: 0 };

  constructor(memorySteps: number) {
    this.#keptAStep = Math.exp(-1 / memorySteps);
  }

  learn(count: number, mean: number): void {
    const usual = this.dispersion + this.wandering * mean;
    const ratio = Math.min(MAX_SQUARE * usual, (count - mean) ** 2 / mean);
    const weight = usual ** -2;
    const sums = this.#sums;
    const keep = this.#keptAStep;
    sums.ones = keep * sums.ones + weight;
    sums.means = keep * sums.means + weight * mean;
    sums.squares = keep * sums.squares + weight * mean * mean;
    sums.ratios = keep * sums.ratios + weight * ratio;
    sums.products = keep * sums.products + weight * mean * ratio;
    this.#fit(mean, PRIOR_STEPS * weight);
  }

  #fit(mean: number, prior: number): void {
    const { ones, means, squares, ratios, products } = this.#sums;
    const ofWandering = PRIOR_SHARE_OF_WANDERING * prior * mean * mean;
    const [a, d] = [ones + prior, squares + ofWandering];
    const [y, z] = [ratios + prior, products + ofWandering * PRIOR_WANDERING];
    const wandering = (a * z - means * y) / (a * d - means * means);
    const dispersion = (y - means * wandering) / a;
    this.wandering = Math.min(1, Math.max(0, dispersion < 1 ? (z - means) / d : wandering));
    this.dispersion = Math.max(1, wandering < 0 ? y / a : dispersion);
  }
}

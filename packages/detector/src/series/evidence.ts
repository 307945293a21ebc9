/**
 * Returns the log-likelihood ratio of an observed count n: a negative binomial of its own mean n against one of the expected mean μ,
 * both of size k, n·ln(n/μ) − (n + k)·ln((n + k)/(μ + k)). It is half the deviance of the negative binomial (McCullagh &
 * Nelder, 1989). The size carries both the dispersion of the counts and the uncertainty of μ.
 *
 * Domain: n ≥ 0, μ > 0, k > 0. Error against SciPy: below 10⁻⁹ of the value, or 10⁻¹⁰ where that is more
 * (`fixtures/special-functions.json`).
 */
export function logLikelihoodRatio(observed: number, expected: number, size: number): number {
  const own = observed > 0 ? observed * Math.log(observed / expected) : 0;
  return own - (observed + size) * Math.log((observed + size) / (expected + size));
}

/** Returns that of Poisson counts, the limit of an unbounded size. */
export function poissonEvidence(observed: number, expected: number): number {
  return (observed > 0 ? observed * Math.log(observed / expected) : 0) - observed + expected;
}

/**
 * Caps on how much is known of a level. The shape grows with every event, but a level wanders however many events it was
 * estimated from: without the caps, evidence at high rates would be boundless. Both chosen on simulated streams.
 */
const MAX_SIZE_OF_RISES = 1_000;
const MAX_SHAPE_OF_DROPS = 300;
/**
 * A relative variance of 1/100, 10% of the level, is allowed for at least before dispersion is. Chosen on simulated web
 * services: at 6% calm ones open half as many false incidents again.
 */
const MAX_SIZE_OF_WANDERING = 100;
/** Minimum steps of the fastest memory of the level. */
const MEMORY_STEPS = 12;

/**
 * Returns the evidence for more than expected, in units of the dispersion, so that a clump of events counts as one.
 * @param shape shape of the level's gamma distribution
 */
export function evidenceUp(observed: number, expected: number, dispersion: number, shape: number): number {
  if (observed <= expected) return 0;
  const size = Math.min(MAX_SIZE_OF_RISES, shape / dispersion);
  return logLikelihoodRatio(observed / dispersion, expected / dispersion, size);
}

/**
 * Returns an upper bound of `evidenceUp` without a logarithm: the evidence of Poisson counts, n·ln(n/μ) − n + μ, is that of the
 * largest size, and ln x ≤ (x − 1)/√x for x ≥ 1. The margin covers the rounding of logarithms of large counts.
 */
export function mostEvidenceUp(observed: number, expected: number, dispersion: number): number {
  if (observed <= expected) return 0;
  const most = ((observed - expected) * (Math.sqrt(observed / expected) - 1)) / dispersion;
  return most + 1e-9 * (1 + observed);
}

/**
 * Returns an upper bound of `evidenceDown`: since ln x ≤ x − 1, both of its terms together are at most (μ − n)²/μ for any
 * size. The margin covers the rounding of logarithms up to sizes of 1,000; those of `sizeOfDrop` are at most 300.
 */
export function mostEvidenceDown(observed: number, expected: number): number {
  if (observed >= expected) return 0;
  const missing = expected - observed;
  return (missing * missing) / expected + 1e-9 * (1 + expected);
}

/**
 * Returns the evidence for less than expected. Dispersion enters by the size alone: clumps make a lull likelier, not longer.
 * @param size see `sizeOfDrop`
 */
export function evidenceDown(observed: number, expected: number, size: number): number {
  return observed >= expected ? 0 : logLikelihoodRatio(observed, expected, size);
}

/**
 * Returns the size 1/((φ − 1)/(w·m) + v) of a window of w steps at the level m: the dispersion of its counts, and the relative
 * variance v of its level. A level that wanders or switches is off by more than its estimate, by φ/min(300, s): the more,
 * the more its counts are dispersed. But φ is a variance over a mean, and grows with the counts where the level does
 * not wander any further. Since it includes all moves of the level from one step to the next, a relative variance of
 * (φ − 1)/m, the level is off by no more than a window adds to that, where it is above 1/100:
 *
 * v = min(φ/min(300, s), max(1/100, φ/s) + (1 + (w − 1)/18)·(φ − 1)/m).
 *
 * A random walk of innovations q, followed by a mean with a memory of M steps, is off by q·M/2 in the next step, and by
 * q·(M/2 + (w − 1)/3) on average over the next w (the local level model: West & Harrison, 1997); so M of 12 steps, the
 * fastest memory, is an upper limit.
 *
 * Domain: φ ≥ 1, s > 0, m > 0, 1 ≤ w ≤ 30. Error: the factor 1 + (w − 1)/18 is up to 6% above that of the exact sums.
 * @param levelOfWindow events of the window by its level alone, without the seasonal band
 */
export function sizeOfDrop(
  dispersion: number,
  shape: number,
  levelOfWindow: number,
  stepsOfWindow: number,
): number {
  const ofCounts = (dispersion - 1) / levelOfWindow;
  const byShape = dispersion / Math.min(MAX_SHAPE_OF_DROPS, shape);
  const reach = 1 + (2 * (stepsOfWindow - 1)) / (3 * MEMORY_STEPS);
  const byStep = Math.max(1 / MAX_SIZE_OF_WANDERING, dispersion / shape) + reach * stepsOfWindow * ofCounts;
  return 1 / (ofCounts + Math.min(byShape, byStep));
}

/** The smallest effect that opens an alarm, as a ratio to the expected count and in events. */
export const MIN_RISE = 1.6;
const MAX_DROP = 0.7;
export const MIN_EVENTS = 5;
/** Expected events from which a smaller rise is significant. */
const MANY_EVENTS = 100;
const MIN_RISE_OF_MANY = 1.3;
/** Ratios to the expected count beyond which an open alarm is held. */
const HELD_RISE = 1.2;
const HELD_DROP = 0.75;

/**
 * True if a count is a rise large enough to open an alarm. Events beyond the expected ones, which are hardly ever whole, are
 * rounded: five are enough where next to none is expected, and fewer never are.
 */
export function isRise(observed: number, expected: number): boolean {
  const rise = expected < MANY_EVENTS ? MIN_RISE : MIN_RISE_OF_MANY;
  const isEnough = observed >= MIN_EVENTS && Math.round(observed - expected) >= MIN_EVENTS;
  return isEnough && observed >= rise * expected;
}

export function isDrop(observed: number, expected: number): boolean {
  return observed <= MAX_DROP * expected && expected - observed >= MIN_EVENTS;
}

export function isHeldRise(observed: number, expected: number): boolean {
  return observed > largestUsual(expected);
}

/** Returns the largest count that holds no rise. */
export function largestUsual(expected: number): number {
  return HELD_RISE * expected;
}

export function isHeldDrop(observed: number, expected: number): boolean {
  return observed < HELD_DROP * expected;
}

/**
 * Log-likelihood ratio of an observed count n: a negative binomial of its own mean n against one of the expected mean μ,
 * both of size k, n·ln(n/μ) − (n + k)·ln((n + k)/(μ + k)). It is half the deviance of the negative binomial (McCullagh &
 * Nelder, 1989). The size carries both the dispersion of the counts and how little is known of μ.
 *
 * Domain: n ≥ 0, μ > 0, k > 0. Error against SciPy: below 10⁻⁹ of the value, or 10⁻¹⁰ where that is more
 * (`fixtures/special-functions.json`).
 */
export function logLikelihoodRatio(observed: number, expected: number, size: number): number {
  const own = observed > 0 ? observed * Math.log(observed / expected) : 0;
  return own - (observed + size) * Math.log((observed + size) / (expected + size));
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
/** Of the fastest memory of the level, at least. */
const MEMORY_STEPS = 12;

/**
 * Evidence for more than expected, in units of the dispersion, so that a clump of events counts as one.
 * @param shape of the level's gamma distribution
 */
export function evidenceUp(observed: number, expected: number, dispersion: number, shape: number): number {
  if (observed <= expected) return 0;
  const size = Math.min(MAX_SIZE_OF_RISES, shape / dispersion);
  return logLikelihoodRatio(observed / dispersion, expected / dispersion, size);
}

/**
 * At least as much as `evidenceUp`, without a logarithm: the evidence of Poisson counts, n·ln(n/μ) − n + μ, is that of the
 * largest size, and ln x ≤ (x − 1)/√x for x ≥ 1. The margin covers what the logarithms of large counts round off.
 */
export function mostEvidenceUp(observed: number, expected: number, dispersion: number): number {
  if (observed <= expected) return 0;
  const most = ((observed - expected) * (Math.sqrt(observed / expected) - 1)) / dispersion;
  return most + 1e-9 * (1 + observed);
}

/**
 * At least as much as `evidenceDown`: since ln x ≤ x − 1, both of its terms together are at most (μ − n)²/μ, whatever the
 * size. The margin covers what the logarithms round off up to sizes of 1,000; those of `sizeOfDrop` are at most 300.
 */
export function mostEvidenceDown(observed: number, expected: number): number {
  if (observed >= expected) return 0;
  const missing = expected - observed;
  return (missing * missing) / expected + 1e-9 * (1 + expected);
}

/**
 * Evidence for less than expected. Dispersion enters by the size alone: that events come in clumps makes a lull likelier,
 * but not its length.
 * @param size see `sizeOfDrop`
 */
export function evidenceDown(observed: number, expected: number, size: number): number {
  return observed >= expected ? 0 : logLikelihoodRatio(observed, expected, size);
}

/**
 * The size 1/((φ − 1)/(w·m) + v) of a window of w steps at the level m: the dispersion of its counts, and the relative
 * variance v of its level. A level that wanders or switches is off by more than its estimate, by φ/min(300, s): the more,
 * the more its counts are dispersed. But φ is a variance over a mean, and grows with the counts where the level does
 * not wander any further. Since it holds all that the level does from one step to the next, a relative variance of
 * (φ − 1)/m, the level is off by no more than what a window adds to that, where it is above 1/100:
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
/** From so many expected events on, a smaller rise is significant. */
const MANY_EVENTS = 100;
const MIN_RISE_OF_MANY = 1.3;
/** What holds an open alarm. */
const HELD_RISE = 1.2;
const HELD_DROP = 0.75;

/**
 * Counts are whole, and what is expected hardly ever is: the events beyond it are rounded, so that five are enough where
 * next to none is expected. Fewer than five never are.
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

/** The largest count that holds no rise. */
export function largestUsual(expected: number): number {
  return HELD_RISE * expected;
}

export function isHeldDrop(observed: number, expected: number): boolean {
  return observed < HELD_DROP * expected;
}

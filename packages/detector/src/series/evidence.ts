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
 * estimated from: without the caps, evidence at high rates would be boundless.
 */
const MAX_SIZE_OF_RISES = 1_000;
const MAX_SHAPE_OF_DROPS = 300;

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
 * Evidence for less than expected. Dispersion enters by the size alone: that events come in clumps makes a lull likelier,
 * but not its length.
 * @param size see `sizeOfDrop`
 */
export function evidenceDown(observed: number, expected: number, size: number): number {
  return observed >= expected ? 0 : logLikelihoodRatio(observed, expected, size);
}

/**
 * The size 1/((φ − 1)/(w·m) + φ/s): dispersion of the counts and uncertainty of the level, whose variance is φ times that
 * of a level of Poisson counts, as upwards. Capping s before it is scaled lets the uncertainty of a level that wanders
 * or switches grow with its dispersion.
 * @param levelOfWindow events of the window by its level alone, without the seasonal band
 */
export function sizeOfDrop(dispersion: number, shape: number, levelOfWindow: number): number {
  return 1 / ((dispersion - 1) / levelOfWindow + dispersion / Math.min(MAX_SHAPE_OF_DROPS, shape));
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

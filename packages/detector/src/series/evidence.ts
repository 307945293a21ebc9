/**
 * Half the deviance of n events where a negative binomial of mean μ and size k is expected:
 * n·ln(n/μ) − (n + k)·ln((n + k)/(μ + k)). Its size k carries both the dispersion of the counts and how little is
 * known of the mean.
 */
export function deviance(observed: number, expected: number, size: number): number {
  const own = observed > 0 ? observed * Math.log(observed / expected) : 0;
  return own - (observed + size) * Math.log((observed + size) / (expected + size));
}

/** However many events a level was seen in, it wanders: no size or shape counts for more than these. */
const LARGEST_SIZE = 1_000;
const LARGEST_SHAPE = 300;

/** Evidence for more than expected, in units of the dispersion, so that clumps of events count as one. */
export function evidenceUp(observed: number, expected: number, dispersion: number, shape: number): number {
  if (observed <= expected) return 0;
  const size = Math.min(LARGEST_SIZE, shape / dispersion);
  return deviance(observed / dispersion, expected / dispersion, size);
}

/**
 * Evidence for less than expected. Dispersion enters by the size alone: that clumps come makes a lull likelier,
 * but not its length.
 */
export function evidenceDown(
  observed: number,
  expected: number,
  dispersion: number,
  shape: number,
  levelOfWindow: number,
): number {
  if (observed >= expected) return 0;
  const ownSize = Math.min(LARGEST_SHAPE, shape);
  return deviance(observed, expected, 1 / ((dispersion - 1) / levelOfWindow + 1 / ownSize));
}

/** The effect that is worth a person's attention, as it can be said in a sentence. */
const RISE = 1.6;
const DROP = 0.7;
const FEWEST_EVENTS = 5;
/** Among many events a smaller rise is believed. */
const RISE_OF_MANY = 1.3;
const MANY_EVENTS = 100;
/** What keeps an incident open. */
const HELD_RISE = 1.2;
const HELD_DROP = 0.75;

export function isRise(observed: number, expected: number): boolean {
  const rise = expected < MANY_EVENTS ? RISE : RISE_OF_MANY;
  return observed >= rise * expected && observed - expected >= FEWEST_EVENTS;
}

export function isDrop(observed: number, expected: number): boolean {
  return observed <= DROP * expected && expected - observed >= FEWEST_EVENTS;
}

export function isHeldRise(observed: number, expected: number): boolean {
  return observed > HELD_RISE * expected;
}

export function isHeldDrop(observed: number, expected: number): boolean {
  return observed < HELD_DROP * expected;
}

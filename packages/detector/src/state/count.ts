/**
 * Largest count of a step, as of a row of `tocsin risk replay`: a month of such steps, squared, is still far below
 * the largest 32-bit float, so no sum of a series can overflow.
 */
export const MAX_COUNT = 1e12;

/** True if a number is a count: it may be a fraction, but is neither negative nor above `MAX_COUNT`. NaN is none. */
export function isCount(value: number): boolean {
  return value >= 0 && value <= MAX_COUNT;
}

import type { Random } from '@tocsin/simulation/random';

/** Factors whose logarithms wander: AR(1) processes of mean 0, one for each name. Plain data, so that it can be copied. */
export type Wandering = Record<string, number>;

/**
 * Returns the next factor of a name.
 * @param sigma standard deviation of its logarithm
 * @param minutes minutes after which a fluctuation has faded to 1/e
 */
export function wander(
  wandering: Wandering,
  name: string,
  { sigma, minutes, random }: { sigma: number; minutes: number; random: Random },
): number {
  const keep = Math.exp(-1 / minutes);
  const last = wandering[name] ?? random.normal();
  const next = keep * last + Math.sqrt(1 - keep * keep) * random.normal();
  wandering[name] = next;
  return Math.exp(sigma * next - (sigma * sigma) / 2);
}

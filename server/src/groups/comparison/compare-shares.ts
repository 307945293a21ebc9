import type { Difference } from './schema.ts';

/** Number of events of a release, and of those with a property. */
export interface Share {
  part: number;
  events: number;
}

/** Number of standard deviations that hold 95% of a normal distribution. */
const Z = 1.959_963_985;

/**
 * Returns the difference of two shares of events with its 95% interval, by the hybrid score method: R. G. Newcombe, Interval
 * estimation for the difference between independent proportions, Statistics in Medicine 17 (1998), method 10. Its
 * mean coverage is 95% down to samples of 5; it assumes independent events, which those of one burst are not.
 * Null if a release has no events.
 */
export function compareShares(later: Share, earlier: Share): Difference | null {
  if (later.events === 0 || earlier.events === 0) return null;
  const [one, other] = [scoreInterval(later), scoreInterval(earlier)];
  const difference = one.share - other.share;
  return {
    value: difference,
    low: difference - Math.hypot(one.share - one.low, other.high - other.share),
    high: difference + Math.hypot(one.high - one.share, other.share - other.low),
  };
}

/** Returns Wilson's score interval of a share. */
function scoreInterval({ part, events }: Share): { share: number; low: number; high: number } {
  const share = part / events;
  const middle = share + Z ** 2 / (2 * events);
  const deviation = Z * Math.sqrt((share * (1 - share) + Z ** 2 / (4 * events)) / events);
  const scale = 1 + Z ** 2 / events;
  // Rounding may exceed the bounds by the last bit.
  return {
    share,
    low: Math.max(0, Math.min(share, (middle - deviation) / scale)),
    high: Math.min(1, Math.max(share, (middle + deviation) / scale)),
  };
}

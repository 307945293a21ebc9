import { describe, expect, it } from 'vitest';
import fixtures from '../fixtures/poisson-interval.json' with { type: 'json' };
import { poissonInterval } from './poisson-interval.ts';

const RELATIVE = 1e-10;

describe('the exact interval of a Poisson mean', () => {
  it.each(fixtures.limits)(
    'computes the limits of the chi-square quantiles for a count of %d',
    (count, low, high) => {
      const [ownLow, ownHigh] = poissonInterval(count ?? Number.NaN);
      expect(Math.abs(ownLow - (low ?? Number.NaN))).toBeLessThanOrEqual(RELATIVE * (low ?? 0));
      expect(Math.abs(ownHigh - (high ?? Number.NaN))).toBeLessThanOrEqual(RELATIVE * (high ?? 0));
    },
  );
});

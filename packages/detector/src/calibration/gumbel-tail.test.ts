import { describe, expect, it } from 'vitest';
import fixtures from '../../fixtures/special-functions.json' with { type: 'json' };
import { runOf } from '../state/code-runs.ts';
import { EVIDENCE } from '../state/log-code.ts';
import { fitGumbel, gumbelQuantile, paretoExponent, paretoQuantile } from './gumbel-tail.ts';

describe('the tail of the evidence', () => {
  it('returns the Gumbel quantiles of SciPy within 1e-15', () => {
    for (const [quantile = 0, value = 0] of fixtures.gumbelQuantile) {
      expect(Math.abs(gumbelQuantile(quantile) - value)).toBeLessThanOrEqual(
        1e-15 * Math.max(1, Math.abs(value)),
      );
    }
  });

  it('returns the generalised Pareto quantiles of SciPy within 1e-13, and their inverse', () => {
    for (const [tailIndex = 0, quantile = 0, y = 0, value = 0] of fixtures.paretoQuantile) {
      const shape = { tailIndex, quantile };
      expect(Math.abs(paretoQuantile(shape, y) - value)).toBeLessThanOrEqual(1e-13 * value);
      expect(paretoExponent(shape, paretoQuantile(shape, y))).toBeCloseTo(y, 9);
    }
  });

  it('gives a bounded tail no chance beyond its end', () => {
    expect(paretoExponent({ tailIndex: -0.08, quantile: 0.9 }, 1e6)).toBe(Number.POSITIVE_INFINITY);
  });

  it('fits the location and scale of the Gumbel distribution that block maxima were drawn from', () => {
    const maxima = Uint8Array.from({ length: 512 }, (_, i) =>
      EVIDENCE.encode(10 + 2 * gumbelQuantile((i + 0.5) / 512)),
    );
    const { location, scale } = fitGumbel(runOf(maxima), { quantile: 0.85, power: 1 });
    // A code is a step of 4.6%.
    expect(Math.abs(location - 10)).toBeLessThan(0.5);
    expect(Math.abs(scale - 2)).toBeLessThan(0.3);
  });
});

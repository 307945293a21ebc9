import { describe, expect, it } from 'vitest';
import fixtures from '../../fixtures/special-functions.json' with { type: 'json' };
import {
  gammaInformation,
  gammaShape,
  gammaUpperQuantile,
  normalUpperQuantile,
} from './gamma-distribution.ts';

/** Returns the largest absolute difference from reference values [argument, value]. */
function maxError(rows: number[][], approximate: (x: number) => number): number {
  return Math.max(...rows.map(([x = 0, value = 0]) => Math.abs(approximate(x) - value)));
}

/** Returns the relative errors of the gamma quantile at a chance, by shape. */
function quantileErrors(ofChance: number, minShape: number, maxShape: number): number[] {
  return fixtures.gammaUpperQuantile
    .filter(([shape = 0, chance]) => chance === ofChance && shape >= minShape && shape <= maxShape)
    .map(([shape = 0, chance = 0, value = 0]) => gammaUpperQuantile(shape, chance) / value - 1);
}

// These are today's errors against SciPy. A closer approximation changes decisions, and with them the detector's version.
describe('the special functions of the gamma distribution', () => {
  it('approximates the normal quantile within 4.5e-4', () => {
    expect(maxError(fixtures.normalUpperQuantile, normalUpperQuantile)).toBeLessThan(4.5e-4);
  });

  it('overestimates the gamma quantile by 2.9% to 5.1% at shapes of 2.2 to 4 and the chance 1e-6', () => {
    for (const error of quantileErrors(1e-6, 2.2, 4)) {
      expect(error).toBeGreaterThan(0.029);
      expect(error).toBeLessThan(0.051);
    }
  });

  it('overestimates the gamma quantile by less than 2% from the shape 6 on, and by less than 0.3% at the chance 0.01', () => {
    for (const error of quantileErrors(1e-6, 6, 1e4)) expect(Math.abs(error - 0.01)).toBeLessThan(0.0101);
    for (const error of quantileErrors(1e-2, 2.2, 1e4)) expect(Math.abs(error)).toBeLessThan(0.003);
  });

  it('estimates the gamma shape within 1.5% of the maximum likelihood', () => {
    for (const [logRatio = 0, shape = 0] of fixtures.gammaShape) {
      expect(Math.abs(gammaShape(logRatio) / shape - 1)).toBeLessThan(0.015);
    }
  });

  it('approximates the information of a gamma gap within 1.4e-4 from the shape 4 on', () => {
    const inDomain = fixtures.gammaInformation.filter(([shape = 0]) => shape >= 4);
    expect(maxError(inDomain, gammaInformation)).toBeLessThan(1.4e-4);
  });
});

import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import {
  evidenceDown,
  evidenceUp,
  isDrop,
  isRise,
  logLikelihoodRatio,
  mostEvidenceUp,
  sizeOfDrop,
} from './evidence.ts';

type Model = { dispersion: number; shape: number };
const rise = (observed: number, expected: number, model: Model) =>
  evidenceUp(observed, expected, model.dispersion, model.shape);
const drop = (observed: number, expected: number, model: Model) =>
  evidenceDown(observed, expected, sizeOfDrop(model.dispersion, model.shape, expected));

describe('evidence', () => {
  it('approaches the log-likelihood ratio of Poisson counts where the size is large', () => {
    expect(logLikelihoodRatio(20, 10, 1e9)).toBeCloseTo(20 * Math.log(2) - 10, 4);
    expect(logLikelihoodRatio(0, 10, 1e9)).toBeCloseTo(10, 4);
  });

  it('finds no evidence in the other direction', () => {
    expect(rise(5, 10, { dispersion: 1, shape: 100 })).toBe(0);
    expect(drop(10, 5, { dispersion: 1, shape: 100 })).toBe(0);
  });

  it('finds less evidence where counts clump, and where little is known of the level', () => {
    expect(rise(40, 10, { dispersion: 4, shape: 100 })).toBeLessThan(
      rise(40, 10, { dispersion: 1, shape: 100 }),
    );
    expect(rise(40, 10, { dispersion: 1, shape: 5 })).toBeLessThan(
      rise(40, 10, { dispersion: 1, shape: 100 }),
    );
    expect(drop(0, 10, { dispersion: 4, shape: 100 })).toBeLessThan(
      drop(0, 10, { dispersion: 1, shape: 100 }),
    );
  });

  it('bounds the evidence of small changes, however many events the level was estimated from', () => {
    expect(rise(13_000_000, 10_000_000, { dispersion: 1, shape: 1e9 })).toBeLessThan(40);
    expect(drop(7_000_000, 10_000_000, { dispersion: 1, shape: 1e9 })).toBeLessThan(20);
  });

  it('exceeds its bound without logarithms for no count, however large', () => {
    const random = new Random(1);
    for (let run = 0; run < 20_000; run++) {
      const expected = 10 ** (8 * random.uniform() - 3);
      const observed = Math.round(expected * 10 ** (3 * random.uniform()));
      const [dispersion, shape] = [10 ** random.uniform(), 10 ** (7 * random.uniform() - 1)];
      const most = mostEvidenceUp(observed, expected, dispersion);
      expect(most).toBeGreaterThanOrEqual(evidenceUp(observed, expected, dispersion, shape));
    }
    expect(mostEvidenceUp(5, 10, 1)).toBe(0);
  });

  it('accepts a smaller rise as an effect where a hundred events were expected', () => {
    expect([isRise(130, 100), isRise(129, 100), isRise(130, 99)]).toEqual([true, false, false]);
  });

  it('accepts an effect by its ratio and by its number of events', () => {
    expect([isRise(16, 10), isRise(15, 10), isRise(4, 0.1)]).toEqual([true, false, false]);
    expect([isDrop(7, 10), isDrop(13, 20), isDrop(0, 4)]).toEqual([false, true, false]);
  });

  it('accepts five events as a rise where next to none is expected, and never fewer', () => {
    expect([isRise(5, 0.03), isRise(5, 0.5), isRise(5, 0.51)]).toEqual([true, true, false]);
    expect([isRise(4, 0), isRise(4.9, 0)]).toEqual([false, false]);
  });
});

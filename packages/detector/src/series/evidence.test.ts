import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import {
  evidenceDown,
  evidenceUp,
  isDrop,
  isRise,
  logLikelihoodRatio,
  mostEvidenceDown,
  mostEvidenceUp,
  sizeOfDrop,
} from './evidence.ts';

type Model = { dispersion: number; shape: number; steps?: number };
const rise = (observed: number, expected: number, model: Model) =>
  evidenceUp(observed, expected, model.dispersion, model.shape);
const drop = (observed: number, expected: number, model: Model) =>
  evidenceDown(observed, expected, sizeOfDrop(model.dispersion, model.shape, expected, model.steps ?? 1));

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

  it('finds strong evidence in a fall to a tenth of large counts, however much they are dispersed', () => {
    expect(drop(1_500, 15_000, { dispersion: 87, shape: 200_000 })).toBeGreaterThan(50);
    expect(drop(150_000, 1_500_000, { dispersion: 2_000, shape: 1e7 })).toBeGreaterThan(50);
    // Twice the deviation of a single step is none.
    expect(
      drop(15_000 * (1 - 2 * Math.sqrt(87 / 15_000)), 15_000, { dispersion: 87, shape: 200_000 }),
    ).toBeLessThan(2);
  });

  it('lets a level wander by as much as its steps deviate, more in longer windows, and by 10% of it at least', () => {
    const ofLevel = (dispersion: number, level: number, steps = 1) =>
      1 / sizeOfDrop(dispersion, 1e9, steps * level, steps) - (dispersion - 1) / (steps * level);
    expect(ofLevel(101, 10_000)).toBeCloseTo(0.01 + 0.01, 6);
    expect(ofLevel(101, 10_000, 10)).toBeCloseTo(0.01 + 1.5 * 0.01, 6);
    expect(ofLevel(101, 1e9)).toBeCloseTo(0.01, 6);
    // The dispersion allows for less in small counts, and in those that hardly vary.
    expect(ofLevel(4, 20)).toBeCloseTo(4 / 300, 6);
    expect(ofLevel(1, 1e6)).toBeCloseTo(1 / 300, 6);
  });

  it('allows a longer window for at least as much as a random walk moves within it', () => {
    const memory = Math.exp(-1 / 12) ** 2;
    const exact = (steps: number) => memory + (1 - memory) * (((steps + 1) * (2 * steps + 1)) / (6 * steps));
    for (const steps of [1, 3, 6, 10, 30]) {
      const wandering = 1 / sizeOfDrop(101, 1e9, steps * 10_000, steps) - 0.01 / steps - 0.01;
      expect(wandering / 0.01 / exact(steps)).toBeGreaterThanOrEqual(1 - 1e-6);
      expect(wandering / 0.01 / exact(steps)).toBeLessThan(1.07);
    }
  });

  it('knows a level no better than its shape allows', () => {
    expect(1 / sizeOfDrop(1, 50, 1e6, 1)).toBeCloseTo(1 / 50, 6);
    expect(1 / sizeOfDrop(101, 1_010, 10_000, 1)).toBeCloseTo(0.01 + 0.1 + 0.01, 6);
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

  it('limits the evidence of drops of all sizes up to 1,000, without a logarithm', () => {
    const random = new Random(4);
    for (let i = 0; i < 20_000; i++) {
      const expected = 10 ** (8 * random.uniform() - 3);
      const observed = Math.floor(expected * random.uniform() ** 2);
      const size = 10 ** (6 * random.uniform() - 3);
      const most = mostEvidenceDown(observed, expected);
      expect(most).toBeGreaterThanOrEqual(evidenceDown(observed, expected, size));
    }
    expect(mostEvidenceDown(10, 5)).toBe(0);
    expect(mostEvidenceDown(0, 5)).toBeCloseTo(5, 6);
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

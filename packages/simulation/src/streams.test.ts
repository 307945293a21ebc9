import { describe, expect, it } from 'vitest';
import { rounds } from '../../../server/test/support/test-length.ts';
import { Random, seedsOf } from './random.ts';
import { KIND_NAMES, KINDS, type KindName } from './streams.ts';

const WEEK = 10_080;
/** Series of three weeks each. */
const RUNS = rounds(10, 40);
const MEAN = 20;
/** Standard errors of the mean over the runs: one test in 16,000 would fail by chance, and the seeds are fixed. */
const TOLERANCE = 4;

/** Their mean is that of the hours at work. */
const UNSCALED: KindName[] = ['working hours'];

function meanOfRun(kind: KindName, seed: number): number {
  const draw = KINDS[kind](new Random(seed), MEAN);
  let sum = 0;
  for (let minute = 0; minute < 3 * WEEK; minute++) sum += draw(minute, 1);
  return sum / (3 * WEEK);
}

describe('a stream in which nothing is wrong', () => {
  it.each(KIND_NAMES.filter((kind) => !UNSCALED.includes(kind)))(
    'keeps the mean that it was asked for: %s',
    (kind) => {
      const means = seedsOf('tune', RUNS).map((seed) => meanOfRun(kind, seed));
      const mean = means.reduce((sum, each) => sum + each, 0) / RUNS;
      const variance = means.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (RUNS - 1);
      expect(Math.abs(mean - MEAN)).toBeLessThan(TOLERANCE * Math.sqrt(variance / RUNS));
    },
  );

  it.each(KIND_NAMES)(
    'draws the same counts again from the same seed, and none while its rate is zero: %s',
    (kind) => {
      expect(meanOfRun(kind, 7)).toBe(meanOfRun(kind, 7));
      const draw = KINDS[kind](new Random(7), MEAN);
      for (let minute = 0; minute < 600; minute++) expect(draw(minute, 0)).toBe(0);
    },
  );
});

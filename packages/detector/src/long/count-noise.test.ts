import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { learnNoise } from './count-noise.ts';
import { beginLongSeries } from './evaluate-long.ts';
import { LongState, longLayoutOf } from './long-state.ts';

const HOURS = longLayoutOf(60, [1]);

function learned(dispersion: number, wandering: number, means: number[]): LongState {
  const random = new Random(1);
  const state = new LongState(HOURS);
  beginLongSeries(state, HOURS);
  for (let step = 0; step < 10_000; step++) {
    const mean = means[step % means.length] ?? 1;
    const shape = 1 / Math.max(1e-6, wandering);
    learnNoise(state, HOURS, random.count((mean * random.gamma(shape)) / shape, dispersion), mean);
  }
  return state;
}

describe('the noise of counts', () => {
  it('tells the dispersion of events from a rate that wanders', () => {
    const ofBoth = learned(3, 0.02, [5, 50, 500]);
    expect(ofBoth.dispersion / 3).toBeCloseTo(1, 0);
    expect(ofBoth.wandering / 0.02).toBeCloseTo(1, 0);
  });

  it('finds Poisson counts neither dispersed nor wandering', () => {
    const { dispersion, wandering } = learned(1, 0, [5, 50, 500]);
    expect(dispersion).toBeLessThan(1.15);
    expect(wandering).toBeLessThan(0.001);
  });

  it('keeps the variance right where all means are alike', () => {
    const { dispersion, wandering } = learned(4, 0, [100]);
    expect((dispersion + 100 * wandering) / 4).toBeCloseTo(1, 0);
  });
});

import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { CountNoise } from './count-noise.ts';

function learned(dispersion: number, wandering: number, means: number[]): CountNoise {
  const random = new Random(1);
  const noise = new CountNoise(2_000);
  for (let step = 0; step < 10_000; step++) {
    const mean = means[step % means.length] ?? 1;
    const shape = 1 / Math.max(1e-6, wandering);
    noise.learn(random.count((mean * random.gamma(shape)) / shape, dispersion), mean);
  }
  return noise;
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

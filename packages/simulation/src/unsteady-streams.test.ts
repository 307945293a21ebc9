import { describe, expect, it } from 'vitest';
import { Random } from './random.ts';
import type { Kind } from './stream.ts';
import { deploys, hawkes, switching, zeroInflated } from './unsteady-streams.ts';

const DAY = 1_440;

function draw(kind: Kind, mean: number, minutes: number): number[] {
  const stream = kind(new Random(3), mean);
  return Array.from({ length: minutes }, (_, minute) => stream(minute, 1));
}

function momentsOf(values: number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, variance };
}

describe('a stream whose rate moves', () => {
  it('leaves the asked share of minutes empty in a zero-inflated stream', () => {
    const counts = draw(zeroInflated(0.3, 0.3), 50, 30 * DAY);
    expect(counts.filter((count) => count === 0).length / counts.length).toBeCloseTo(0.3, 2);
  });

  it('moves the level of deploys by steps of the asked deviation', () => {
    // So many events that the minutes between two steps hardly differ.
    const counts = draw(deploys(0.22, 2), 1e9, 400 * DAY);
    const steps = counts.slice(1).flatMap((count, i) => {
      const step = Math.log(count / (counts[i] ?? Number.NaN));
      return Math.abs(step) > 0.001 ? [step] : [];
    });
    expect(steps.length / 400).toBeCloseTo(2, 0);
    expect(Math.abs(Math.sqrt(momentsOf(steps).variance) - 0.22)).toBeLessThan(0.02);
  });

  it('spends the asked time in each of two states', () => {
    const rates = draw(
      switching({ factor: 0.7, minutes: 120 }, { factor: 1.9, minutes: 40 }),
      1e9,
      400 * DAY,
    );
    const high = rates.filter((rate) => rate > 1e9);
    expect(Math.abs(high.length / rates.length - 0.25)).toBeLessThan(0.02);
    expect(momentsOf(high).mean / 1e9).toBeCloseTo(1.9, 3);
  });

  it('disperses the counts of a Hawkes process over longer windows as its offspring do', () => {
    const counts = draw(hawkes(0.7, 10), 20, 400 * DAY);
    const window = 6 * 60;
    const sums = Array.from({ length: counts.length / window }, (_, i) =>
      counts.slice(i * window, (i + 1) * window).reduce((sum, count) => sum + count, 0),
    );
    const { mean, variance } = momentsOf(sums);
    // 1/(1 − n)² of a window without end (Hawkes & Oakes, 1974); its edges take something off one of six hours.
    const limit = 1 / (1 - 0.7) ** 2;
    expect(variance / mean).toBeGreaterThan(0.75 * limit);
    expect(variance / mean).toBeLessThan(1.15 * limit);
  });
});

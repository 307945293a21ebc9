import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { AT, SeriesMemory } from '../state/series-state.ts';
import { predict, updateLevel, winsorise } from './level.ts';

const RESOLUTION = resolutionOf(1);

function levelAfter(counts: number[]): Float32Array {
  const { numbers } = new SeriesMemory();
  predict(numbers, RESOLUTION);
  for (const count of counts) {
    updateLevel(numbers, RESOLUTION, Number.isNaN(count) ? count : winsorise(numbers, count));
    numbers[AT.age] = (numbers[AT.age] ?? 0) + 1;
  }
  return numbers;
}

const repeat = (count: number, times: number) => Array.from({ length: times }, () => count);

describe('a level', () => {
  it('begins with a level near zero whose shape says how little is known', () => {
    const numbers = levelAfter([]);
    expect(numbers[AT.level]).toBeLessThan(0.01);
    expect(numbers[AT.shape]).toBe(0.5);
  });

  it('finds a level within a quarter of an hour, however high', () => {
    for (const rate of [1, 50, 10_000]) {
      const level = levelAfter(repeat(rate, 15))[AT.level] ?? 0;
      expect(level / rate).toBeGreaterThan(0.5);
      expect(level / rate).toBeLessThanOrEqual(1);
    }
  });

  it('hardly moves for a short burst, and follows a lasting shift within two hours', () => {
    const before = repeat(20, 1_440);
    expect(levelAfter([...before, ...repeat(2_000, 3)])[AT.level]).toBeLessThan(30);
    expect(levelAfter([...before, ...repeat(60, 150)])[AT.level]).toBeGreaterThan(50);
  });

  it('keeps over unknown steps, and is surer of itself again later', () => {
    const before = levelAfter(repeat(20, 600));
    const after = levelAfter([...repeat(20, 600), ...repeat(Number.NaN, 300)]);
    expect(after[AT.level]).toBeCloseTo(before[AT.level] ?? 0, 0);
    expect(after[AT.shape]).toBeLessThan(before[AT.shape] ?? 0);
  });
});

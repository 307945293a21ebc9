import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { predict, updateLevel, winsorise } from './level.ts';

const RESOLUTION = resolutionOf(1);

function levelAfter(counts: number[]): SeriesState {
  const state = new SeriesState();
  predict(state, RESOLUTION);
  for (const count of counts) {
    updateLevel(state, RESOLUTION, Number.isNaN(count) ? count : winsorise(state, count));
    state.age += 1;
  }
  return state;
}

const repeat = (count: number, times: number) => Array.from({ length: times }, () => count);

describe('a level', () => {
  it('starts near zero with the shape of its prior', () => {
    const state = levelAfter([]);
    expect(state.level).toBeLessThan(0.01);
    expect(state.shape).toBe(0.5);
  });

  it('finds the level within a quarter of an hour, however high it is', () => {
    for (const rate of [1, 50, 10_000]) {
      const level = levelAfter(repeat(rate, 15)).level;
      expect(level / rate).toBeGreaterThan(0.5);
      expect(level / rate).toBeLessThanOrEqual(1);
    }
  });

  it('hardly moves the level for a short burst, and follows a lasting shift within two hours', () => {
    const before = repeat(20, 1_440);
    expect(levelAfter([...before, ...repeat(2_000, 3)]).level).toBeLessThan(30);
    expect(levelAfter([...before, ...repeat(60, 150)]).level).toBeGreaterThan(50);
  });

  it('clips counts from the 31st on', () => {
    expect(winsorise(levelAfter(repeat(1, 29)), 1_000)).toBe(1_000);
    expect(winsorise(levelAfter(repeat(1, 30)), 1_000)).toBeLessThan(10);
  });

  it('keeps the level over unknown steps, with a smaller shape', () => {
    const before = levelAfter(repeat(20, 600));
    const after = levelAfter([...repeat(20, 600), ...repeat(Number.NaN, 300)]);
    expect(after.level).toBeCloseTo(before.level, 0);
    expect(after.shape).toBeLessThan(before.shape);
  });
});

import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { countWindows, createWindowCounts, recordStep } from './windows.ts';

const RESOLUTION = resolutionOf(1);

/** Returns the windows that end with a step, after steps with these counts, each at a level of its age. */
function windowsAfter(counts: number[], count: number, change?: (state: SeriesState) => void) {
  const state = new SeriesState();
  for (const each of counts) {
    state.setLevel(state.age, 1);
    recordStep(state, each);
    state.age += 1;
  }
  state.setLevel(state.age, 1);
  change?.(state);
  const windows = createWindowCounts();
  countWindows(windows, state, RESOLUTION, count);
  return windows;
}

const ones = (steps: number) => Array.from({ length: steps }, () => 1);

describe('the windows of a series', () => {
  it('holds in each window the counts of its steps', () => {
    expect([...windowsAfter(ones(100), 1).observed]).toEqual([1, 3, 10, 30]);
  });

  it('compares windows with the level from before they began', () => {
    expect([...windowsAfter(ones(100), 1).level]).toEqual([100, 98, 91, 71]);
  });

  it('evaluates no window in the first quarter of an hour, nor one that began in the first ten minutes', () => {
    expect([...windowsAfter(ones(14), 1).known]).toEqual([0, 0, 0, 0]);
    expect([...windowsAfter(ones(19), 1).known]).toEqual([1, 3, 10, 0]);
  });

  it('evaluates no window with less than half of its steps known, and counts the known ones', () => {
    const counts = [...ones(80), ...Array.from({ length: 8 }, () => Number.NaN)];
    const { known, observed } = windowsAfter(counts, 1);
    expect([...known]).toEqual([1, 0, 0, 22]);
    expect(observed[3]).toBe(22);
  });

  it('holds the same whether each step is read, or those with an event alone', () => {
    const random = new Random(1);
    for (let run = 0; run < 300; run++) {
      const [length, rate] = [30 + Math.floor(40 * random.uniform()), 2 * random.uniform() ** 3];
      const counts = Array.from({ length }, () => random.poisson(rate));
      const count = random.poisson(rate);
      const known = windowsAfter(counts, count);
      // An unknown step that no window holds any more makes each step be read.
      const read = windowsAfter(counts, count, (state) => {
        const [oldest, level] = [
          state.age % state.windowSteps,
          state.levelOfStep(state.age % state.windowSteps),
        ];
        state.setStep(oldest, Number.NaN, level, state.shapeOfStep(oldest));
      });
      expect(read).toEqual(known);
    }
  });
});

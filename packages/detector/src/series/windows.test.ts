import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { countWindows, createWindowCounts, recordStep } from './windows.ts';

const RESOLUTION = resolutionOf(1);

/** Returns the windows that end with a step, after steps with these counts, each at a level of its age. */
function windowsAfter(counts: number[], count: number) {
  const state = new SeriesState();
  for (const each of counts) {
    state.setLevel(state.age, 1);
    recordStep(state, each);
    state.age += 1;
  }
  state.setLevel(state.age, 1);
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
});

import { describe, expect, it } from 'vitest';
import { codesOf } from '../state/code-runs.ts';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';
import { growBlock, maximaOf } from './block-maxima.ts';
import {
  calibrateThresholds,
  falseAlarmsPerWeek,
  type PooledTailSource,
  warmUpBudget,
} from './thresholds.ts';
import { fitWindowTail } from './window-tail.ts';

const RESOLUTION = resolutionOf(1);

/** Returns a series whose blocks had these largest pieces of evidence upwards, in its shortest window. */
function withMaxima(maxima: number[]): SeriesState {
  const state = new SeriesState();
  for (const maximum of maxima) {
    for (let closed = false; !closed; ) {
      state.setBlockMaximum(UP, 0, maximum);
      closed = growBlock(state, RESOLUTION, { side: UP, count: 1, mayClose: true });
    }
  }
  return state;
}

const thresholdOf = (
  state: SeriesState,
  budgetPerWeek: number,
  pooledTails: PooledTailSource | null = null,
) => {
  calibrateThresholds(state, UP, { resolution: RESOLUTION, pooledTails, budgetPerWeek });
  return state.openThreshold(UP, 0);
};

describe('the open threshold', () => {
  const calm = withMaxima(Array.from({ length: 56 }, (_, i) => 3 + (i % 5) / 5));
  const bursty = withMaxima(Array.from({ length: 56 }, (_, i) => 3 + (i % 4 === 0 ? 40 : i % 5)));

  it('sets a higher threshold for a smaller budget, and for a series that has bursts', () => {
    expect(thresholdOf(calm, 0.1)).toBeGreaterThan(thresholdOf(calm, 1));
    expect(thresholdOf(bursty, 1)).toBeGreaterThan(2 * thresholdOf(calm, 1));
  });

  it('gives evidence at the threshold as many false alarms a week as the budget', () => {
    const threshold = thresholdOf(calm, 0.5);
    const tail = fitWindowTail(calm, RESOLUTION, { side: UP, window: 0, pooledTail: null });
    expect(falseAlarmsPerWeek(tail, RESOLUTION, threshold)).toBeCloseTo(0.5, 1);
  });

  it('hardly moves the threshold for one incident among many blocks', () => {
    const incident = withMaxima([...Array.from({ length: 55 }, (_, i) => 3 + (i % 5) / 5), 1_500]);
    expect(thresholdOf(incident, 1) / thresholdOf(calm, 1)).toBeLessThan(1.2);
  });

  it('starts with a heavy-tailed prior in a project without block maxima', () => {
    const unknown = { of: () => ({ scale: 0, spread: 0, location: 0, count: 0 }) };
    const state = new SeriesState();
    const alone = thresholdOf(state, 1);
    expect(thresholdOf(state, 1, unknown)).toBeGreaterThan(2 * alone);
  });
});

describe('the budget of a series', () => {
  it('grants a new series a quarter of its budget, and all of it after a week', () => {
    const state = new SeriesState();
    const budgets = [0, 5_040, 10_080, 50_000].map((age) => {
      state.age = age;
      return warmUpBudget(state, { resolution: RESOLUTION, budgetPerWeek: 1 });
    });
    expect(budgets).toEqual([0.25, 0.625, 1, 1]);
  });
});

describe('a block', () => {
  it('closes a block after an hour, but not while an alarm of its side is open', () => {
    const state = new SeriesState();
    const closed = Array.from({ length: 90 }, (_, minute) =>
      growBlock(state, RESOLUTION, { side: DOWN, count: 5, mayClose: minute > 70 }),
    );
    expect(closed.indexOf(true)).toBe(71);
    expect(codesOf(maximaOf(state, DOWN, 0))).toHaveLength(1);
  });
});

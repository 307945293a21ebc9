import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { DOWN, UP } from '../state/side.ts';
import { acceptDrop, createErrorSeries, resetRise } from './error-series.ts';
import { createSeries } from './series-detector.ts';

const CONTEXT = { resolution: resolutionOf(1), pooledTails: null, budgetPerWeek: 1 };

describe('an error series', () => {
  it('counts as silent since its project is watched, for at least a quarter of an hour and at most four', () => {
    const ages = [0, 100, 10_000].map((steps) => createErrorSeries(CONTEXT, steps).age);
    expect(ages).toEqual([15, 100, 240]);
  });

  it('expects less than a new series of other events', () => {
    const level = createErrorSeries(CONTEXT, 240).level;
    expect(level).toBeLessThan(createSeries(CONTEXT).level);
  });

  it('forgets the counts of a rise that a person has resolved', () => {
    const state = createErrorSeries(CONTEXT, 60);
    resetRise(state);
    expect(state.status(UP)).toBe(0);
    expect(state.closedAge(UP)).toBe(60);
    expect(state.count(0)).toBeNaN();
  });

  it('treats a drop of an error series as its new level', () => {
    const state = createErrorSeries(CONTEXT, 60);
    state.setLevelBefore(DOWN, 5);
    acceptDrop(state);
    expect([state.status(DOWN), state.levelBefore(DOWN)]).toEqual([2, 0]);
  });
});

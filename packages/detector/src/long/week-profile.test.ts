import { describe, expect, it } from 'vitest';
import { LongState, longLayoutOf } from './long-state.ts';
import { factorOf, learnFactor, reportSlot } from './week-profile.ts';

describe('the profile of a week', () => {
  it.each([50, 7 * 24 * 60])(
    'leaves the level alone at steps of %d minutes, a week of which has no parts',
    (minutes) => {
      const layout = longLayoutOf(minutes, [1]);
      const state = new LongState(layout);
      for (let step = 0; step < 20; step++) {
        learnFactor(state, layout, step, { ratio: 5, information: 10 });
        expect(reportSlot(state, layout, step, { isTrouble: true, isNew: true })).toBe(false);
      }
      expect(factorOf(state, layout, 20)).toBe(1);
    },
  );

  it('learns the factor of each hour of a week', () => {
    const layout = longLayoutOf(60, [1]);
    const state = new LongState(layout);
    for (let week = 0; week < 10; week++)
      learnFactor(state, layout, week * 168 + 3, { ratio: 2, information: 100 });
    expect(factorOf(state, layout, 1_683)).toBeGreaterThan(1.9);
    expect(factorOf(state, layout, 1_684)).toBeLessThan(1.1);
  });

  it.each([
    ['the week before', 168, false, true],
    ['the day before', 24, true, true],
    ['the day before, in trouble that goes on', 24, false, false],
    ['two days before', 48, true, false],
  ])('says whether a step is usual that was reported as well %s', (_, steps, isNew, isUsual) => {
    const layout = longLayoutOf(60, [1]);
    const state = new LongState(layout);
    reportSlot(state, layout, 50, { isTrouble: true, isNew: true });
    expect(reportSlot(state, layout, 50 + steps, { isTrouble: true, isNew })).toBe(isUsual);
  });
});

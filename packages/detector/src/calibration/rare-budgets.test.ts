import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { SeriesState } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';
import { growBlock } from './block-maxima.ts';
import { largestUsual, predictiveFactor, predictiveFactorOf, rarityOf, usualFactor } from './rare-budgets.ts';
import { calibrateThresholds, falseAlarmsPerWeek, fittedThreshold } from './thresholds.ts';
import { fitWindowTail } from './window-tail.ts';

const RESOLUTION = resolutionOf(1);
const DAY = 1_440;

/** Ends a block of drops whose largest evidence is this in all windows. */
function endBlock(state: SeriesState, evidence: number, openedAfter: number | null = null): void {
  for (let closed = false; !closed; state.age += 1) {
    for (let window = 0; window < 4; window++) state.setBlockMaximum(DOWN, window, evidence);
    if (state.blockSteps(DOWN) === openedAfter) state.setOpenedAge(DOWN, state.age);
    closed = growBlock(state, RESOLUTION, { side: DOWN, count: 1, mayClose: true });
  }
}

const calm = (blocks: number) => {
  const state = new SeriesState();
  for (let block = 0; block < blocks; block++) endBlock(state, 2 + (block % 3) / 3);
  return state;
};

describe('a budget below the default', () => {
  it('changes nothing at the default and above', () => {
    expect([rarityOf(1), rarityOf(5), rarityOf(0.2)]).toEqual([1, 1, 5]);
    expect([predictiveFactor(1, 0), predictiveFactor(1, 20), usualFactor(1)]).toEqual([1, 1, 0]);
  });

  it('asks for more the fewer days are known, and hardly more after two weeks', () => {
    const factors = [0, 1, 2, 7, 14, 100].map((days) => predictiveFactor(5, days));
    expect(factors.toSorted((left, right) => right - left)).toEqual(factors);
    expect(factors[0]).toBeGreaterThan(100);
    expect(factors[1]).toBeCloseTo(3.62, 2);
    expect(factors.slice(-2)).toEqual([factors[4], factors[4]]);
    expect(factors[4]).toBeCloseTo(1.12, 2);
  });

  it('begins with a day for errors, which count as silent before', () => {
    const state = new SeriesState();
    const of = (isErrorSeries: boolean) =>
      predictiveFactorOf(state, RESOLUTION, { rarity: 5, isErrorSeries });
    expect(of(true)).toBe(predictiveFactor(5, 1));
    expect(of(false)).toBe(predictiveFactor(5, 0));
  });

  it('sets thresholds at three times the largest usual evidence for a fifth of the default', () => {
    const state = calm(15 * 24);
    const context = { resolution: RESOLUTION, pooledTails: null, budgetPerWeek: 0.02 };
    const thresholdOf = (rarity: number) => {
      calibrateThresholds(state, DOWN, { ...context, rarity });
      return state.openThreshold(DOWN, 0);
    };
    endBlock(state, 40);
    endBlock(state, 2);
    const [atDefault, rare] = [thresholdOf(1), thresholdOf(5)];
    expect(rare / (3 * 40 * predictiveFactor(5, 14))).toBeCloseTo(1, 1);
    expect(rare).toBeGreaterThan(2 * atDefault);
    const tail = fitWindowTail(state, RESOLUTION, { side: DOWN, window: 0, pooledTail: null });
    const fitted = fittedThreshold(tail, context);
    expect(falseAlarmsPerWeek(tail, RESOLUTION, fitted)).toBeCloseTo(0.02, 3);
  });
});

describe('the largest usual evidence', () => {
  it('leaves out the block that ended last, so that trouble is not compared with its beginning', () => {
    const state = calm(24);
    const before = largestUsual(state, DOWN, 0);
    endBlock(state, 60);
    expect(largestUsual(state, DOWN, 0)).toBe(before);
    endBlock(state, 2);
    expect(largestUsual(state, DOWN, 0)).toBeCloseTo(60, -1);
  });

  it('leaves out a block in which an alarm opened, and the one before it', () => {
    const state = calm(24);
    const before = largestUsual(state, DOWN, 0);
    endBlock(state, 30);
    endBlock(state, 300, 20);
    endBlock(state, 2);
    endBlock(state, 2);
    expect(largestUsual(state, DOWN, 0)).toBeLessThanOrEqual(before);
  });

  it('fades to a third within two weeks', () => {
    const state = calm(24);
    endBlock(state, 60);
    endBlock(state, 2);
    const first = largestUsual(state, DOWN, 3);
    const until = state.age + 14 * DAY;
    while (state.age < until) endBlock(state, 2);
    expect(largestUsual(state, DOWN, 3) / first).toBeCloseTo(Math.exp(-1), 1);
  });

  it('keeps what drops have shown apart from rises', () => {
    const state = calm(24);
    expect(largestUsual(state, DOWN, 0)).toBeGreaterThan(0);
    expect(largestUsual(state, UP, 0)).toBe(0);
  });
});

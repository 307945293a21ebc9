import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { DOWN, UP } from '../state/side.ts';
import { raiseLevelTo } from './running-step.ts';
import { SeriesGroup } from './series-group.ts';

const MINUTE_MS = 60_000;
const NEW_SERIES = { weight: 1, isErrorSeries: false, mayBeOld: false };

/** Returns a group with series that send alike for some minutes. */
function groupOf(weights: number[], minutes = 0): SeriesGroup {
  const group = new SeriesGroup(1, 1);
  for (const weight of weights) group.add({ ...NEW_SERIES, weight });
  for (let minute = 0; minute < minutes; minute++) {
    weights.forEach((_, index) => group.count(index, 20));
    group.endStep(START_MS + minute * MINUTE_MS, true, () => undefined);
  }
  return group;
}

describe('the series of a project', () => {
  it('shares the budget by weight', () => {
    const group = groupOf([3, 1]);
    expect([group.budgetShareOf(0), group.budgetShareOf(1)]).toEqual([0.75, 0.25]);
    group.setWeight(1, 3);
    group.setBudget(2);
    expect([group.budgetShareOf(0), group.budgetShareOf(1)]).toEqual([1, 1]);
  });

  it('evaluates within a step only the series that have counted', () => {
    const group = groupOf([1, 1], 300);
    const found: number[] = [];
    group.count(1, 2_000);
    const evaluate = () =>
      group.evaluatePartialStep(START_MS + 300 * MINUTE_MS, (index) => found.push(index));
    evaluate();
    evaluate();
    expect(found).toEqual([1]);
  });

  it('fills a step up to its level by late events, and no further', () => {
    const levelAfter = (late: number) => {
      const group = groupOf([1, 1], 300);
      group.countLate(0, late);
      group.endStep(START_MS + 300 * MINUTE_MS, true, () => undefined);
      return group.levelOf(0);
    };
    expect(levelAfter(0)).toBeLessThan(levelAfter(1_000));
    expect(levelAfter(1_000)).toBeCloseTo(20, 0);
  });

  it('raises a level to what is expected of it, and never lowers it', () => {
    const group = groupOf([1, 1], 300);
    raiseLevelTo(group.series.change(0), 50);
    expect(group.levelOf(0)).toBeCloseTo(50, 0);
    raiseLevelTo(group.series.change(0), 10);
    expect(group.levelOf(0)).toBeCloseTo(50, 0);
  });

  it('fits the thresholds of a series every hour, and on its first day every quarter of an hour', () => {
    const group = groupOf([1], 7);
    let minutes = 7;
    const run = (until: number) => {
      for (; minutes < until; minutes++) {
        group.series.indices().forEach((index) => group.count(index, 15 + (minutes % 11)));
        group.endStep(START_MS + minutes * MINUTE_MS, true, () => undefined);
      }
    };
    // Its blocks end at no quarter of an hour of the group. Thresholds are fitted at their end as well.
    const old = group.add(NEW_SERIES);
    run(26 * 60);
    const young = group.add(NEW_SERIES);
    const thresholdsOf = (index: number) => {
      const { state } = group.series.read(index);
      return ([UP, DOWN] as const).map((side) => state.openThreshold(side, 0));
    };
    const fitted = [15, 30, 45, 60].map((minute) => {
      run(26 * 60 + minute - 1);
      const before = [old, young].map(thresholdsOf);
      run(26 * 60 + minute);
      return [old, young].map((index, at) => String(thresholdsOf(index)) !== String(before[at]));
    });
    expect(fitted).toEqual([
      [false, true],
      [false, true],
      [false, true],
      [true, true],
    ]);
  });

  it('knows no rate of false alarms before the first block maximum', () => {
    const exceedance = {
      side: 0,
      window: 0,
      knownSteps: 1,
      observed: 50,
      expected: 20,
      evidence: 10,
      openThreshold: 5,
    } as const;
    expect(groupOf([1, 1]).falseAlarmsPerWeek(0, exceedance)).toBeNull();
    expect(groupOf([1, 1], 300).falseAlarmsPerWeek(0, exceedance)).toBeGreaterThan(0);
  });
});

import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../state/durations.ts';
import { resolutionOf } from '../state/resolution.ts';
import { PostponedSteps, stepsLeftOfSlot } from './postponed-steps.ts';

/** Returns two series; the first postpones so many steps after its first one. */
function twoSeries(uneventful: number): PostponedSteps {
  const postponed = new PostponedSteps(40, [0, 1]);
  postponed.endOf(0, uneventful);
  postponed.endOf(1, 0);
  postponed.endStep();
  return postponed;
}

describe('the steps that states lack', () => {
  it('postpones the steps that can only be uneventful, and no more', () => {
    const postponed = twoSeries(2);
    for (let minute = 1; minute <= 2; minute++) {
      expect([0, 1].map((index) => postponed.isPostponed(index))).toEqual([true, false]);
      postponed.endOf(1, 0);
      postponed.endStep();
    }
    expect(postponed.isPostponed(0)).toBe(false);
    expect([0, 1].map((index) => postponed.isUpToDate(index))).toEqual([false, true]);
  });

  it('hands over what a series lacks once', () => {
    const postponed = twoSeries(5);
    for (let minute = 1; minute <= 3; minute++) {
      postponed.endOf(1, 0);
      postponed.endStep();
    }
    expect([1, 0, 0].map((index) => postponed.take(index))).toEqual([0, 3, 0]);
    expect(postponed.isUpToDate(0)).toBe(true);
  });

  it('evaluates the step that runs where something counts in it', () => {
    const postponed = twoSeries(5);
    postponed.evaluateNext(0);
    expect(postponed.isPostponed(0)).toBe(false);
  });

  it('counts the step that ends while changes of it are reported, for the series up to the reported one', () => {
    const postponed = twoSeries(5);
    postponed.endOf(1, 0);
    postponed.reportOf(1);
    expect(postponed.take(0)).toBe(1);
    postponed.endStep();
    expect(postponed.take(0)).toBe(0);
  });

  it('begins anew where an index belongs to another series', () => {
    const postponed = twoSeries(5);
    postponed.endStep();
    postponed.add(0);
    expect(postponed.isPostponed(0)).toBe(false);
    expect(postponed.take(0)).toBe(0);
  });

  it('counts the steps that are left of a slot of the day', () => {
    const left = [0, 1, 14, 15].map((minute) =>
      stepsLeftOfSlot(resolutionOf(1), START_MS + minute * MINUTE_MS),
    );
    expect(left).toEqual([14, 13, 0, 14]);
    expect(stepsLeftOfSlot(resolutionOf(60), START_MS)).toBe(0);
  });
});

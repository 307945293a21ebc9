import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { seasonalPositionOf } from '../series/seasonal-position.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { resolutionOf } from '../state/resolution.ts';
import { PostponedSteps, stepsLeftOfSlot } from './postponed-steps.ts';

const MINUTE = resolutionOf(1);
const positionOf = (minute: number) => seasonalPositionOf(MINUTE, START_MS + minute * MINUTE_MS);

/** Returns two series; the first postpones so many steps after its first one. */
function twoSeries(uneventful: number): PostponedSteps {
  const postponed = new PostponedSteps(40);
  postponed.add(0);
  postponed.add(1);
  postponed.endOf(0, uneventful);
  postponed.endOf(1, 0);
  postponed.endStep(positionOf(0));
  return postponed;
}

describe('the steps that states lack', () => {
  it('postpones the steps that can only be uneventful, and no more', () => {
    const postponed = twoSeries(2);
    for (let minute = 1; minute <= 2; minute++) {
      expect([0, 1].map((index) => postponed.isPostponed(index))).toEqual([true, false]);
      postponed.endOf(1, 0);
      postponed.endStep(positionOf(minute));
    }
    expect(postponed.isPostponed(0)).toBe(false);
    expect([0, 1].map((index) => postponed.isUpToDate(index))).toEqual([false, true]);
  });

  it('hands over what a series lacks once, at the position of the last step without its beginnings', () => {
    const postponed = twoSeries(5);
    for (let minute = 1; minute <= 3; minute++) {
      postponed.endOf(1, 0);
      postponed.endStep(positionOf(minute));
    }
    expect(postponed.take(1)).toBeNull();
    const position = { ...positionOf(3), slotBegins: false, hourBegins: false };
    expect(postponed.take(0)).toEqual({ steps: 3, position });
    expect(postponed.take(0)).toBeNull();
    expect(postponed.isUpToDate(0)).toBe(true);
  });

  it('says of no step that an hour or a slot begins with it, which its evaluation has begun', () => {
    const postponed = twoSeries(5);
    expect(positionOf(0).hourBegins).toBe(true);
    postponed.endStep(positionOf(0));
    expect(postponed.take(0)?.position).toMatchObject({ slotBegins: false, hourBegins: false });
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
    expect(postponed.take(0)?.steps).toBe(1);
    postponed.endStep(positionOf(1));
    expect(postponed.take(0)).toBeNull();
  });

  it('begins anew where an index belongs to another series', () => {
    const postponed = twoSeries(5);
    postponed.endStep(positionOf(1));
    postponed.add(0);
    expect(postponed.isPostponed(0)).toBe(false);
    expect(postponed.take(0)).toBeNull();
  });

  it('counts the steps that are left of a slot of the day', () => {
    const left = [0, 1, 14, 15].map((minute) => stepsLeftOfSlot(MINUTE, START_MS + minute * MINUTE_MS));
    expect(left).toEqual([14, 13, 0, 14]);
    expect(stepsLeftOfSlot(resolutionOf(60), START_MS)).toBe(0);
  });
});

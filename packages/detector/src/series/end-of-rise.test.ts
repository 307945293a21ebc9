import { describe, expect, it } from 'vitest';
import { coarseResolutionOf } from '../state/resolution.ts';
import { coarseLayoutOf } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import { isRiseOver } from './end-of-rise.ts';
import { recordStep } from './windows.ts';
import { createWorkspace } from './workspace.ts';

const RESOLUTION = coarseResolutionOf(30);
const POSITION = {
  slot: 20,
  slots: 48,
  hour: 10,
  hours: 168,
  slotBegins: true,
  hourBegins: true,
};

/** True if a rise is over after half hours with these counts, so many of which were usual in each. */
function isOver(counts: number[], rise: { usual: number; ratio: number; othersAreOver?: boolean }): boolean {
  const state = new SeriesState(undefined, coarseLayoutOf(30));
  state.setLevel(rise.usual, 1_000);
  for (const count of counts) {
    recordStep(state, count);
    state.age++;
  }
  const { ratio, othersAreOver = false } = rise;
  const open = { usualPerMinute: rise.usual / 30, ratio, othersAreOver };
  return isRiseOver(state, { resolution: RESOLUTION, position: POSITION }, open, createWorkspace());
}

describe('the end of a rise at a coarse step', () => {
  it('comes after an hour that is usual again, and not after half of one', () => {
    const rise = { usual: 12, ratio: 5 };
    expect(isOver([60, 60, 12, 12], rise)).toBe(true);
    expect(isOver([60, 60, 60, 12], rise)).toBe(false);
  });

  it('comes after an hour without an event, where sixty times the usual came', () => {
    expect(isOver([18, 18, 0, 0], { usual: 1.2, ratio: 60 })).toBe(true);
  });

  it('does not come while the rise lasts, nor where it is halfway back', () => {
    const rise = { usual: 12, ratio: 5 };
    expect(isOver([60, 55, 60, 50, 65, 60], rise)).toBe(false);
    expect(isOver([60, 60, 27, 27, 27, 27], rise)).toBe(false);
  });

  it('does not come while too few events are usual to tell', () => {
    expect(isOver([0, 1, 0, 0, 0, 0], { usual: 0.1, ratio: 3 })).toBe(false);
  });

  it('comes with the end of what rose with it, unless it is still halfway up', () => {
    const rise = { usual: 9, ratio: 2.5, othersAreOver: true };
    expect(isOver([22, 22, 9, 9], rise)).toBe(true);
    expect(isOver([22, 22, 9, 9], { ...rise, othersAreOver: false })).toBe(false);
    expect(isOver([22, 22, 14, 14], rise)).toBe(false);
    expect(isOver([22, 22, 22, 9], rise)).toBe(false);
  });

  it('leaves out half hours of which nothing is known', () => {
    const rise = { usual: 12, ratio: 5 };
    expect(isOver([60, 60, Number.NaN, 12], rise)).toBe(false);
    expect(isOver([60, 12, Number.NaN, 12], rise)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { type CoarseStep, coarseResolutionOf } from '../state/resolution.ts';
import { coarseLayoutOf } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';
import { createDayFactors, type DayFactors, fillDayFactors } from './day-profile.ts';
import { learnMean } from './slot-means.ts';

const HALF_HOURS = coarseResolutionOf(30);
const SIX_HOURS = coarseResolutionOf(360);
const DAYS = 30;

/** Returns a state after a month of half hours, or of six hours, with so many events in each slot of the day. */
function stateOf(step: CoarseStep, perSlot: readonly number[]): SeriesState {
  const state = new SeriesState(undefined, coarseLayoutOf(step));
  perSlot.forEach((events, slot) => {
    learnMean(state, slot, events);
  });
  state.age = DAYS * perSlot.length;
  return state;
}

function factorsAt(slot: number, state: SeriesState, resolution = HALF_HOURS): DayFactors {
  const factors = createDayFactors();
  const slots = 1_440 / resolution.stepMinutes;
  fillDayFactors(factors, state, resolution, { slot, slots });
  return factors;
}

/** Busy from eight to four: 30 events in each half hour, else none. */
const OFFICE = Array.from({ length: 48 }, (_, slot) => (slot >= 16 && slot < 32 ? 30 : 0));

describe('the factors of the time of day', () => {
  it('gives every slot of a series of which nothing is known the factor 1', () => {
    const { step, windows } = factorsAt(20, new SeriesState(undefined, coarseLayoutOf(30)));
    expect(step).toBe(1);
    expect([...windows[UP]].slice(0, 3)).toEqual([1, 1, 1]);
    expect([...windows[DOWN]].slice(0, 3)).toEqual([1, 1, 1]);
  });

  it('shrinks the factor of a slot towards 1 by five events', () => {
    // Means of 30 and 10 over seven days.
    expect(factorsAt(20, stateOf(30, OFFICE)).step).toBeCloseTo((5 + 210) / (5 + 70), 1);
    expect(factorsAt(2, stateOf(30, OFFICE)).step).toBeCloseTo(5 / 75, 1);
  });

  it('gives a series that is too rare to show a rhythm none', () => {
    const rare = OFFICE.map((events) => events / 1_000);
    expect(factorsAt(20, stateOf(30, rare)).step).toBeCloseTo(1, 1);
    expect(factorsAt(2, stateOf(30, rare)).step).toBeCloseTo(1, 1);
  });

  it('expects upwards what is usual an hour later or earlier, and downwards the least of it', () => {
    const atSeven = factorsAt(14, stateOf(30, OFFICE));
    expect(atSeven.step).toBeLessThan(0.1);
    expect(atSeven.windows[UP][0]).toBeCloseTo(factorsAt(16, stateOf(30, OFFICE)).step, 6);
    const atEight = factorsAt(16, stateOf(30, OFFICE));
    expect(atEight.windows[DOWN][0]).toBeCloseTo(atSeven.step, 6);
  });

  it('lends a step that is longer than an hour a part of its neighbour', () => {
    const busyNoon = stateOf(360, [0, 600, 0, 0]);
    const { windows } = factorsAt(0, busyNoon, SIX_HOURS);
    expect(windows[UP][0]).toBeCloseTo(factorsAt(1, busyNoon, SIX_HOURS).step / 6, 1);
  });

  it('takes the mean over the steps of a longer window', () => {
    const { windows } = factorsAt(33, stateOf(30, OFFICE));
    // The last six half hours: four busy ones and two that are over; an hour later, two and four.
    const busy = factorsAt(20, stateOf(30, OFFICE)).step;
    expect(windows[UP][2]).toBeCloseTo(busy, 1);
    expect(windows[DOWN][2]).toBeCloseTo((2 * busy) / 6, 1);
  });
});

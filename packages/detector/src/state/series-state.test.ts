import { describe, expect, it } from 'vitest';
import { COARSE_STEPS } from './resolution.ts';
import { HOUR_OF_WEEK, SLOT_OF_DAY } from './series-head.ts';
import { coarseLayoutOf, FULL_LAYOUT, type SeriesLayout } from './series-layout.ts';
import { SeriesState } from './series-state.ts';
import { DOWN, UP } from './side.ts';

const LAYOUTS = [FULL_LAYOUT, ...COARSE_STEPS.map(coarseLayoutOf)];

/** Returns a state with a number of its own in each of the fields that are read below. */
function filled(layout: SeriesLayout): SeriesState {
  const state = new SeriesState(undefined, layout);
  state.setMemory(0, 7, 8);
  state.setLevel(1.25, 89);
  state.age = 1_234;
  state.setSlot(12, 15);
  state.setStatus(DOWN, 1);
  for (const side of [UP, DOWN] as const) {
    for (let window = 0; window < layout.windows; window++) {
      state.setThresholds(side, window, 21.5 + window + 10 * side, 9.5 + window);
      state.setBlockMaximum(side, window, 3.5 + window + 10 * side);
      state.setMaximum(side, window, layout.keptMaxima[side] - 1, 50 + window + 10 * side);
    }
    state.setBlocks(side, 5 + side);
    state.setMeanBlockSteps(side, 61.5);
  }
  for (let index = 0; index < layout.windowSteps; index++) {
    state.setStep(index, index % 3 === 0 ? Number.NaN : index, 1.5 * index, 77 + index);
  }
  state.setLowCode(HOUR_OF_WEEK, 6, 99);
  state.setMeanCode(1, 5);
  return state;
}

/** Returns all values that were set, by name. */
function valuesOf(state: SeriesState, layout: SeriesLayout) {
  const { level, shape, age, slotSum, slotSteps, filledSteps } = state;
  const sides = [UP, DOWN].map((each) => {
    const side = each === UP ? UP : DOWN;
    const windows = Array.from({ length: layout.windows }, (_, window) => {
      const begin = layout.keptMaxima[side] - 1;
      const { codes, first } = state.maxima(side, window, { begin, length: 1 });
      const thresholds = [state.openThreshold(side, window), state.holdThreshold(side, window)];
      return [...thresholds, state.blockMaximum(side, window), codes[first]];
    });
    return [state.status(side), state.blocks(side), state.meanBlockSteps(side), windows] as const;
  });
  const steps = Array.from({ length: layout.windowSteps }, (_, index) => [
    state.count(index),
    state.levelOfStep(index),
    state.shapeOfStep(index),
  ]);
  const others = [state.sum(0), state.time(0), state.lowCode(HOUR_OF_WEEK, 6), state.meanCode(1)];
  const head = { level, shape, age, slotSum, slotSteps, filledSteps };
  return { ...head, sides, steps, others };
}

describe('the state of a series', () => {
  it('keeps each field in a place of its own, and after saving and loading', () => {
    for (const layout of LAYOUTS) {
      const state = filled(layout);
      const values = valuesOf(state, layout);
      expect(values).toMatchObject({ level: 1.25, shape: 89, age: 1_234, slotSum: 12, slotSteps: 15 });
      expect(values).toMatchObject({ others: [7, 8, 99, 5] });
      expect(values.sides.map(([status, blocks]) => [status, blocks])).toEqual([
        [0, 5],
        [1, 6],
      ]);
      const evidenceOf = (side: number, window: number) => values.sides[side]?.[3]?.[window];
      expect(evidenceOf(UP, 0)).toEqual([21.5, 9.5, 3.5, 50]);
      expect(evidenceOf(DOWN, 2)).toEqual([33.5, 11.5, 15.5, 62]);
      expect(values.steps.slice(0, 3)).toEqual([
        [Number.NaN, 0, 77],
        [1, 1.5, 78],
        [2, 3, 79],
      ]);
      const loaded = new SeriesState(state.toBytes(), layout);
      expect(valuesOf(loaded, layout)).toEqual(values);
      expect(loaded.toBytes()).toEqual(state.toBytes());
    }
  });

  it('marks the steps with an event by bit', () => {
    const state = new SeriesState();
    expect(state.filledSteps).toBe(0);
    [Number.NaN, 0, 4].forEach((count, index) => state.setStep(index, count, 1, 1));
    expect(state.filledSteps).toBe(0b100);
  });

  it('extends the bands of the day and of the week, and by no rate that is missing', () => {
    const state = new SeriesState();
    state.extendBands(5, 2);
    state.extendBands(Number.NaN, 1);
    state.extendBands(4, 3);
    for (const period of [SLOT_OF_DAY, HOUR_OF_WEEK] as const)
      expect([state.runningHigh(period), state.runningLow(period)]).toEqual([5, 1]);
  });
});

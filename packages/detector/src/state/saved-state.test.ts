import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_OF_WEEK, RUNNING_HIGH, SLOT_OF_DAY } from './recorded-season.ts';
import { COARSE_STEPS } from './resolution.ts';
import { coarseLayoutOf, FULL_LAYOUT, type SeriesLayout } from './series-layout.ts';
import { SeriesState } from './series-state.ts';
import { DOWN, UP } from './side.ts';

/** A state with a number of its own in each field. */
function filled(layout: SeriesLayout): SeriesState {
  const state = new SeriesState(undefined, layout);
  state.setLevel(1.234_567, 89.123);
  state.setDeviations(3.3, 4.4);
  state.age = 1_234;
  for (const side of [UP, DOWN] as const) {
    for (let window = 0; window < layout.windows; window++) {
      state.setThresholds(side, window, 21.37 + window + 10 * side, 9.71 + window);
      state.setBlockMaximum(side, window, 3.3 + window);
    }
    state.setBlock(side, 7 + side, 11);
    state.setBlocks(side, 5, 61.5);
  }
  for (let index = 0; index < layout.windowSteps; index++) {
    state.setStep(index, index % 3 === 0 ? Number.NaN : index, 1.1 * index, 77.7 + index);
  }
  state.setMaximum(DOWN, layout.windows - 1, layout.keptMaxima[DOWN] - 1, 200);
  state.setEmptySteps(3, 9);
  state.setMeanCode(1, 5);
  return state;
}

const LAYOUTS = [FULL_LAYOUT, ...COARSE_STEPS.map(coarseLayoutOf)];

describe('the saved form of a state', () => {
  it('saves all fields in as many bytes as its layout says', () => {
    expect(LAYOUTS.map(({ end }) => end)).toEqual([1_712, 992, 716, 580]);
    for (const layout of LAYOUTS) {
      const saved = filled(layout).toBytes();
      expect(saved).toHaveLength(layout.end);
      expect(new SeriesState(saved, layout).toBytes()).toEqual(saved);
    }
  });

  it('reads each number where it was saved, to within a thousandth at coarse steps', () => {
    const positive = fc.float({ min: Math.fround(1e-6), max: Math.fround(1e9), noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...LAYOUTS), positive, positive, (layout, level, threshold) => {
        const former = new Uint8Array(layout.end);
        const floats = new Float32Array(former.buffer);
        // After sums and times of five memories; after 8 rates, and the evidence of blocks and what they hold.
        const [levelAt, thresholdsAt] = [10, 17 + 8 + 8 + 8];
        floats[levelAt] = level;
        floats[thresholdsAt + 4 * DOWN + 2] = threshold;
        const state = new SeriesState(former, layout);
        expect(state.level).toBe(level);
        expect(Math.abs(state.openThreshold(DOWN, 2) / threshold - 1)).toBeLessThan(2 ** -10);
        if (layout === FULL_LAYOUT) expect(state.openThreshold(DOWN, 2)).toBe(threshold);
      }),
    );
  });

  it('keeps the steps of the longest window, and which of them are not known', () => {
    for (const layout of LAYOUTS) {
      const loaded = new SeriesState(filled(layout).toBytes(), layout);
      for (let index = 0; index < layout.windowSteps; index++) {
        expect(loaded.count(index)).toBe(index % 3 === 0 ? Number.NaN : index);
        expect(Math.abs(loaded.levelOfStep(index) - 1.1 * index)).toBeLessThanOrEqual(index / 900);
        expect(Math.abs(loaded.shapeOfStep(index) / (77.7 + index) - 1)).toBeLessThan(2 ** -10);
      }
      expect(loaded.filledSteps).toBe(filled(layout).filledSteps);
    }
  });

  it('keeps an alarm in a record of its own, from the first field of it on', () => {
    for (const layout of LAYOUTS) {
      const state = new SeriesState(undefined, layout);
      const before = state.toBytes();
      state.setQuietSteps(DOWN, 0);
      expect(state.toBytes()).toEqual(before);
      state.setStatus(DOWN, 1);
      state.setLevelBefore(DOWN, 2.5);
      state.setClosedAge(UP, 77);
      const loaded = new SeriesState(state.toBytes(), layout);
      expect([loaded.status(DOWN), loaded.levelBefore(DOWN), loaded.closedAge(UP)]).toEqual([1, 2.5, 77]);
      expect([loaded.status(UP), loaded.reportedReason(UP), loaded.openedAge(DOWN)]).toEqual([0, 0, 0]);
    }
  });

  it('saves the band of the day twice where an hour of the week is a slot of the day', () => {
    const layout = coarseLayoutOf(120);
    const state = new SeriesState(undefined, layout);
    state.setBand(SLOT_OF_DAY, RUNNING_HIGH, 4.5);
    const floats = new Float32Array(state.toBytes().buffer);
    expect([floats[17], floats[21]]).toEqual([4.5, 4.5]);
    expect(state.hasOneBand).toBe(true);
    expect(new SeriesState(undefined, FULL_LAYOUT).hasOneBand).toBe(false);
    expect(new SeriesState(state.toBytes(), layout).band(HOUR_OF_WEEK, RUNNING_HIGH)).toBe(4.5);
  });
});

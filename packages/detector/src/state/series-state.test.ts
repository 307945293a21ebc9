import { describe, expect, it } from 'vitest';
import { HOUR_OF_WEEK } from './recorded-season.ts';
import { SERIES_BYTES } from './series-layout.ts';
import { SeriesState } from './series-state.ts';
import { DOWN } from './side.ts';

/** A state whose first and last fields are set. */
function filled(): SeriesState {
  const state = new SeriesState();
  state.setMemory(0, 7, 8);
  state.age = 9;
  state.setMaximum(DOWN, 3, 47, 200);
  state.setLowCode(HOUR_OF_WEEK, 167, 99);
  state.setSlot(12, 15);
  state.setEmptySteps(3, 9);
  state.setMeanCode(0, 5);
  state.setMeanCode(95, 77);
  return state;
}

describe('the state of a series', () => {
  it('saves and loads losslessly, in a multiple of four bytes', () => {
    const state = filled();
    const bytes = state.toBytes();
    expect(bytes).toHaveLength(SERIES_BYTES);
    expect(SERIES_BYTES % 4).toBe(0);
    const loaded = new SeriesState(bytes);
    expect(loaded.toBytes()).toEqual(bytes);
    expect([loaded.slotSum, loaded.slotSteps, loaded.emptySteps, loaded.knownSteps]).toEqual([12, 15, 3, 9]);
    expect([loaded.meanCode(0), loaded.meanCode(95)]).toEqual([5, 77]);
  });

  it('refuses bytes that are no series', () => {
    expect(() => new SeriesState(new Uint8Array(SERIES_BYTES - 1))).toThrow(RangeError);
    expect(() => new SeriesState(new Uint8Array(SERIES_BYTES + 1))).toThrow(RangeError);
  });
});

import { describe, expect, it } from 'vitest';
import { EVIDENCE } from '../state/log-code.ts';
import { coarseResolutionOf, MINUTES_PER_DAY, resolutionOf } from '../state/resolution.ts';
import { coarseLayoutOf } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { findUnseen } from './unseen.ts';
import { recordStep } from './windows.ts';

const MINUTE = resolutionOf(1);
const DAYS = MINUTES_PER_DAY;

/** Returns a series of 15 days with blocks of a side, of which each has shown evidence of 10 in every window. */
function withBlocks(side: Side, blocks: number, blockSteps: number): SeriesState {
  const state = new SeriesState();
  state.age = 15 * DAYS;
  state.setBlocks(side, blocks);
  state.setMeanBlockSteps(side, blockSteps);
  for (let window = 0; window < 4; window++) {
    for (let index = 0; index < Math.min(blocks, state.keptMaxima(side)); index++) {
      state.setMaximum(side, window, index, EVIDENCE.encode(10));
    }
  }
  return state;
}

const rise = (evidence: number) => ({ side: UP, window: 1, observed: 50, evidence }) as const;

describe('for how long a series has shown nothing as unusual', () => {
  it('counts the kept blocks and the block that runs', () => {
    const state = withBlocks(UP, 90, 240);
    state.setBlock(UP, 100, 20);
    expect(findUnseen(state, MINUTE, rise(30))).toEqual({ unseenMinutes: 56 * 240 + 100 });
  });

  it('never exceeds the age of the series', () => {
    const state = withBlocks(UP, 56, 480);
    expect(findUnseen(state, MINUTE, rise(30))).toEqual({ unseenMinutes: 15 * DAYS });
  });

  it('says nothing where the maxima reach back less than a day', () => {
    expect(findUnseen(withBlocks(UP, 20, 60), MINUTE, rise(30))).toEqual({});
    expect(findUnseen(new SeriesState(), MINUTE, rise(30))).toEqual({});
  });

  it('says nothing where a kept maximum of the window is as large', () => {
    const state = withBlocks(UP, 56, 480);
    expect(findUnseen(state, MINUTE, rise(10))).toEqual({});
    state.setMaximum(UP, 1, 7, EVIDENCE.encode(31));
    expect(findUnseen(state, MINUTE, rise(30))).toEqual({});
    expect(findUnseen(state, MINUTE, { ...rise(30), window: 2 })).not.toEqual({});
  });

  it('says nothing where the block that runs has shown more', () => {
    const state = withBlocks(UP, 56, 480);
    state.setBlockMaximum(UP, 1, 30.1);
    expect(findUnseen(state, MINUTE, rise(30.1))).not.toEqual({});
    expect(findUnseen(state, MINUTE, rise(30))).toEqual({});
  });

  it('counts in the steps of a coarse state', () => {
    const state = new SeriesState(undefined, coarseLayoutOf(30));
    state.age = 30 * 48;
    state.setBlocks(UP, 24);
    state.setMeanBlockSteps(UP, 16);
    expect(findUnseen(state, coarseResolutionOf(30), rise(30))).toEqual({ unseenMinutes: 24 * 16 * 30 });
  });
});

describe('a silence', () => {
  const silence = (window: number) => ({ side: DOWN, window, observed: 0, evidence: 30 }) as const;

  function withCounts(counts: number[]): SeriesState {
    const state = new SeriesState();
    for (const count of counts) {
      recordStep(state, count);
      state.age += 1;
    }
    return state;
  }
  const full = (steps: number) => Array.from({ length: steps }, () => 5);

  it('counts from the last minute without an event, also where no block maxima are kept', () => {
    expect(findUnseen(withCounts([...full(100), 0, ...full(3 * DAYS)]), MINUTE, silence(0))).toEqual({
      filledMinutes: 3 * DAYS,
    });
    expect(findUnseen(withCounts(full(3 * DAYS)), MINUTE, silence(0))).toEqual({ filledMinutes: 3 * DAYS });
  });

  it('leaves out the minutes without an event that the silence consists of', () => {
    const state = withCounts([...full(2 * DAYS), 0, 0]);
    expect(findUnseen(state, MINUTE, silence(1))).toEqual({ filledMinutes: 2 * DAYS });
    expect(findUnseen(state, MINUTE, silence(0))).toEqual({});
  });

  it('says nothing where a minute shortly before the silence had no event', () => {
    expect(findUnseen(withCounts([...full(2 * DAYS), 0, 5, 0, 0]), MINUTE, silence(1))).toEqual({});
    expect(findUnseen(withCounts([...full(2 * DAYS), 0, ...full(40)]), MINUTE, silence(0))).toEqual({});
  });
});

import { describe, expect, it } from 'vitest';
import { createShare, endMinute, setOutcomes } from './share-detector.ts';
import type { ShareState } from './share-state.ts';
import { failuresWithin } from './share-windows.ts';

function run(state: ShareState, minutes: number, isFailure: (minute: number) => boolean): void {
  for (let minute = 0; minute < minutes; minute++) {
    const count = Number(isFailure(minute));
    setOutcomes(state, { failures: count, trials: count });
    endMinute(state);
  }
}

describe('the failures of the last minutes', () => {
  it('leaves out what came hours before, where payments are so few that a bin holds all of them', () => {
    const state = createShare(29_000_000);
    run(state, 1_000, (minute) => minute % 125 === 0);
    run(state, 20, (minute) => minute % 5 === 0);
    expect(failuresWithin(state, 120)).toBe(4);
  });

  it('counts the bins that they reach into, where there are several', () => {
    const state = createShare(29_000_000);
    run(state, 500, () => true);
    expect(failuresWithin(state, 20)).toBe(19);
    expect(failuresWithin(state, 61)).toBe(60);
    expect(failuresWithin(state, 75)).toBe(80);
  });
});

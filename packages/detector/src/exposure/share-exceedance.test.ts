import { describe, expect, it } from 'vitest';
import { createShare, endMinute, evaluateShare, setOutcomes } from './share-detector.ts';
import { latestShareExcess } from './share-exceedance.ts';
import type { ShareState } from './share-state.ts';

const LEAST = { minRatio: 1.6, minOthers: 0 };
const CRITERIA = {
  isReported: () => false,
  mayOpen: () => true,
  budgetPerWeek: 0.1,
  rarity: 1,
  clumps: null,
  ...LEAST,
};

function run(state: ShareState, minutes: number, failuresOf: (minute: number) => number): void {
  for (let minute = 0; minute < minutes; minute++) {
    setOutcomes(state, { failures: failuresOf(minute), trials: 5 });
    evaluateShare(state, CRITERIA);
    endMinute(state);
  }
}

/** Returns an open alarm after half an hour without a failure, at five payments a minute with usually 3% failures. */
function openedShare(): ShareState {
  const state = createShare(29_000_000);
  run(state, 2 * 1_440, (minute) => (minute % 20 < 3 ? 1 : 0));
  run(state, 8, () => 2);
  run(state, 30, () => 0);
  expect(state.isOpen).toBe(true);
  return state;
}

describe('the excess of an open alarm', () => {
  it.each([
    ['one payment', { failures: 1, trials: 1 }],
    ['the ten tries of one payer', { failures: 10, trials: 15 }],
  ])('leaves out %s alone: an excess is as much as opens an alarm', (_name, outcomes) => {
    const state = openedShare();
    setOutcomes(state, outcomes);
    expect(latestShareExcess(state, LEAST)).toBeNull();
  });

  it('begins with failures that rise further', () => {
    const state = openedShare();
    setOutcomes(state, { failures: 0, trials: 5 });
    run(state, 5, () => 5);
    setOutcomes(state, { failures: 5, trials: 5 });
    expect(latestShareExcess(state, LEAST)).toMatchObject({ failures: 30, trials: 30, minutes: 6 });
  });
});

import { describe, expect, it } from 'vitest';
import { DOWN, UP } from '../state/side.ts';
import { findExcess } from './excess.ts';

/** @param counts the oldest first */
function excessOfRise(counts: number[], rate = 0.2, dispersion = 1) {
  return findExcess(
    { side: UP, length: counts.length, rate, dispersion },
    (before) => counts.at(-1 - before) ?? 0,
  );
}

function excessOfDrop(counts: number[], rate: number) {
  return findExcess(
    { side: DOWN, length: counts.length, rate, dispersion: 1 },
    (before) => counts.at(-1 - before) ?? 0,
  );
}

describe('the excess within a window', () => {
  it('tells a burst of one minute by that minute, in a window of ten', () => {
    expect(excessOfRise([0, 0, 1, 0, 0, 0, 0, 0, 0, 27])).toEqual({
      steps: 1,
      knownSteps: 1,
      observed: 27,
      expected: 0.2,
    });
  });

  it('begins with the first minute of a rise that goes on', () => {
    expect(excessOfRise([0, 1, 0, 3, 4, 3, 5, 2, 4, 3])).toMatchObject({ steps: 7, observed: 24 });
  });

  it('leaves out an event by chance right before the trouble', () => {
    expect(excessOfRise([0, 0, 0, 0, 1, 9, 8, 11])).toMatchObject({ steps: 3, observed: 28 });
  });

  it('reaches over minutes that are not known, and does not count them', () => {
    expect(excessOfRise([0, 0, 9, Number.NaN, 8])).toMatchObject({ steps: 3, knownSteps: 2, observed: 17 });
  });

  it('tells a drop that has become a silence by its empty minutes', () => {
    expect(excessOfDrop([4, 3, 4, 5, 0, 0, 0, 0, 0, 0], 4)).toMatchObject({ steps: 6, observed: 0 });
  });

  it('tells a drop to a part by all of its minutes', () => {
    expect(excessOfDrop([21, 19, 20, 7, 5, 6, 8, 4, 6, 5], 20)).toMatchObject({ steps: 7, observed: 41 });
  });

  it('tells the whole window where none of its ends is an effect by itself', () => {
    expect(excessOfRise([2, 1, 1, 0], 0.1)).toMatchObject({ steps: 4, observed: 4 });
  });

  it('counts clumps of events once for each dispersion', () => {
    const counts = [6, 0, 0, 0, 0, 40];
    expect(excessOfRise(counts, 1, 1)).toMatchObject({ steps: 1, observed: 40 });
    expect(excessOfRise(counts, 1, 20)).toMatchObject({ steps: 1, observed: 40 });
  });
});

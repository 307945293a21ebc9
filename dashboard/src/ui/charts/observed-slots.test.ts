import { describe, expect, it } from 'vitest';
import { expectedPieces, toObservedSlots } from './observed-slots.ts';

const START_MS = Date.parse('2026-11-21T12:00:00Z');
const isoOf = (ms: number) => new Date(ms).toISOString();

/** Returns the slots of one point a minute. */
function slotsOf(...expected: (number | null)[]) {
  const points = expected.map((one, index) => ({
    at: isoOf(START_MS + index * 60_000),
    observed: index,
    expected: one,
  }));
  return toObservedSlots({ intervalSeconds: 60, points });
}

describe('a point', () => {
  it('draws a point over the interval that begins with it', () => {
    expect(slotsOf(6)).toEqual([{ startMs: START_MS, endMs: START_MS + 60_000, observed: 0, expected: 6 }]);
  });
});

describe('an interval that is not over', () => {
  it('draws the current interval last, as one that is not over', () => {
    const running = { at: isoOf(START_MS), observed: 4 };
    expect(toObservedSlots({ intervalSeconds: 60, points: [], running })).toEqual([
      { startMs: START_MS, endMs: START_MS + 60_000, observed: 4, expected: null, isRunning: true },
    ]);
  });
});

describe('the line of expected counts', () => {
  const valuesOf = (...expected: (number | null)[]) =>
    expectedPieces(slotsOf(...expected)).map((piece) => piece.map((step) => step.expected));

  it('leaves a gap in the expected line where nothing was expected yet', () => {
    expect(valuesOf(null, 1, 2, null, null, 0, 3)).toEqual([
      [1, 2],
      [0, 3],
    ]);
  });

  it('draws no expected line where nothing is ever expected', () => {
    expect(valuesOf(null, null)).toEqual([]);
  });

  it('leaves a gap in the expected line where an interval is missing', () => {
    const [first, , third] = slotsOf(1, 2, 3);
    expect(first && third && expectedPieces([first, third])).toHaveLength(2);
  });
});

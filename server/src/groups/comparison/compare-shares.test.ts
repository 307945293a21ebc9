import { describe, expect, it } from 'vitest';
import { compareShares } from './compare-shares.ts';

const compare = (errors: number, events: number, baseErrors: number, baseEvents: number) => {
  const found = compareShares({ part: errors, events }, { part: baseErrors, events: baseEvents });
  return found && [found.value, found.low, found.high].map((value) => Number(value.toFixed(4)));
};

describe('the difference of two shares of events', () => {
  it.each<{ later: [number, number]; earlier: [number, number]; expected: number[] }>([
    // Newcombe (1998), table II, method 10.
    { later: [56, 70], earlier: [48, 80], expected: [0.2, 0.0524, 0.3339] },
    { later: [9, 10], earlier: [3, 10], expected: [0.6, 0.1705, 0.809] },
    { later: [6, 7], earlier: [2, 7], expected: [0.5714, 0.0582, 0.8062] },
    { later: [5, 56], earlier: [0, 29], expected: [0.0893, -0.0381, 0.1926] },
    { later: [0, 10], earlier: [0, 20], expected: [0, -0.1611, 0.2775] },
    { later: [10, 10], earlier: [0, 20], expected: [1, 0.6791, 1] },
  ])('gives the interval of the paper for $later against $earlier', ({ later, earlier, expected }) => {
    expect(compare(...later, ...earlier)).toEqual(expected);
  });

  it('finds no interval where a release has no events', () => {
    expect(compare(0, 0, 1, 10)).toBeNull();
    expect(compare(1, 10, 0, 0)).toBeNull();
  });

  it('narrows the interval with more events, and changes its sign when the releases are swapped', () => {
    const [, low = 0, high = 0] = compare(3_000, 100_000, 1_000, 100_000) ?? [];
    expect(low).toBeGreaterThan(0.018);
    expect(high).toBeLessThan(0.022);
    expect(compare(1_000, 100_000, 3_000, 100_000)).toEqual([-0.02, -high, -low]);
  });
});

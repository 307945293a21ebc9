import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toWholeNumbers } from './top.ts';

it('rounds shares to whole numbers beside them, without changing their sum', () => {
  expect(toWholeNumbers([0.5, 0.25, 0.25, 2])).toEqual([1, 0, 0, 2]);
  expect(toWholeNumbers(Array.from({ length: 24 }, () => 7 / 24)).reduce((a, b) => a + b, 0)).toBe(7);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1000 })), fc.integer({ min: 1, max: 60 }), (counts, parts) => {
      const shares = counts.flatMap((count) => Array.from({ length: parts }, () => count / parts));
      const rounded = toWholeNumbers(shares);
      expect(rounded.reduce((a, b) => a + b, 0)).toBe(counts.reduce((a, b) => a + b, 0));
      for (const [index, share] of shares.entries())
        expect(Math.abs((rounded[index] ?? 0) - share)).toBeLessThanOrEqual(1 + 1e-6);
    }),
  );
});

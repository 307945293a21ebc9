import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeHalf, encodeHalf } from './half-float.ts';

const inDomain = fc.double({ min: 2 ** -62, max: 2 ** 63, noNaN: true });

it('keeps numbers to within a thousandth of their value', () => {
  fc.assert(
    fc.property(inDomain, (value) => {
      const error = Math.abs(decodeHalf(encodeHalf(value)) - value) / value;
      expect(error).toBeLessThanOrEqual(2 ** -10 * (1 + 1e-6));
    }),
  );
});

it('keeps a number that it has kept before as it is, and zero', () => {
  for (let code = 0; code < 2 ** 16; code++) {
    if (encodeHalf(decodeHalf(code)) !== code) throw new Error(`Code ${code} changes.`);
  }
  expect(decodeHalf(encodeHalf(0))).toBe(0);
});

it('keeps the order of numbers', () => {
  fc.assert(
    fc.property(inDomain, inDomain, (one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      expect(encodeHalf(less)).toBeLessThanOrEqual(encodeHalf(more));
    }),
  );
});

it('keeps what is too small as zero, and what is too large as the largest', () => {
  expect(decodeHalf(encodeHalf(1e-30))).toBe(0);
  expect(decodeHalf(encodeHalf(1e30))).toBeGreaterThan(2 ** 63);
  expect(decodeHalf(encodeHalf(Number.POSITIVE_INFINITY))).toBe(decodeHalf(0xffff));
});

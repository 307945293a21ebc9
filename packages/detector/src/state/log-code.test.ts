import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogCode } from './log-code.ts';

describe('a number in one byte', () => {
  const code = new LogCode(0.01, 1_000);

  it('restores a number from one byte within half a step, which is a ratio', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.011, max: 1_000, noNaN: true }), (value) => {
        expect(Math.abs(Math.log(code.decode(code.encode(value)) / value))).toBeLessThan(0.025);
      }),
    );
  });

  it('distinguishes no value from the smallest one in a byte, and clamps to its bounds', () => {
    expect([code.encode(0), code.encode(-1), code.encode(1e9)]).toEqual([1, 1, 255]);
    expect([code.decode(0), code.decode(1)]).toEqual([0, 0]);
  });
});

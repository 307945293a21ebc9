import { describe, expect, it } from 'vitest';
import { fingerprintV1 } from './fingerprint-v1.ts';
import { parseStackFrames } from './stack-frames.ts';

describe('a fingerprint of version 1', () => {
  const stack =
    'Error: boom\n at f (/x/node_modules/l/i.js:1:1)\n at charge (/app/pay-8f3a.js:10:5)\n at g (/app/b.js:1:1)';

  // By the program that stored them: a change here makes every known error new.
  it.each([
    [['checkout', 'shop', 'The basket is empty'], '85c6a8a837fd81f8'],
    [['checkout', null, 'Order 7 failed for "Ada" <ada@example.com>'], '1f386ce16639101c'],
    [['server_error', 'server', 'Boom', parseStackFrames(stack)], '01a100d55294b9f2'],
  ] as const)('computes for %j what older programs stored', (event, expected) => {
    const [type, source, message, frames] = event;
    expect(fingerprintV1(type, source, message, frames)).toBe(expected);
  });
});

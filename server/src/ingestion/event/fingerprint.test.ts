import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint, normalizeMessage } from './fingerprint.ts';
import { parseStackFrames } from './stack-frames.ts';

/** Strings of any code points; fast-check's own unit for them takes seconds to build. */
const anyText = () => fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) });
const of = (message: string) => fingerprint('checkout', 'shop', message);

describe('a fingerprint', () => {
  it('makes a fingerprint of 16 hex characters, whatever the event holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), anyText(), (type, source, message) => {
        expect(fingerprint(type, source, message)).toMatch(/^[0-9a-f]{16}$/);
      }),
    );
  });

  it.each([
    ['numbers', 'Order 7 failed after 3 tries', 'Order 48213 failed after 12 tries'],
    ['prices and percentages', 'Charged 4.20 at 7%', 'Charged 1999.99 at 19%'],
    [
      'UUIDs',
      'Job 0190a000-0000-7000-8000-000000000000 died',
      'Job f47ac10b-58cc-4372-a567-0e02b2c3d479 died',
    ],
    ['prefixed ids', 'No user usr_01h455vb4pex', 'No user usr_77'],
    ['hexadecimal addresses', 'Fault at 0x7ffee4c0', 'Fault at 0x1f'],
    ['e-mail addresses', 'No mail to ada@example.com', 'No mail to grace.hopper@navy.example'],
    ['IP addresses', 'Refused by 10.0.0.7:5432', 'Refused by 192.168.17.254:6432'],
    ['IPv6 addresses', 'Refused by fe80::1', 'Refused by 2001:db8::8a2e:370:7334'],
    ['times', 'Late since 2026-11-21T09:30:00Z', 'Late since 2027-01-02T23:59:59.123Z'],
    ['values in double quotes', 'No file "a.txt"', 'No file "some other name"'],
    ['values in single quotes', "No column 'name' here", "No column 'e-mail of the user' here"],
    ['values in backticks', 'No table `users`', 'No table `audit_log`'],
    ['long quoted values', `Cannot read "${'x'.repeat(3_000)}" here`, 'Cannot read "y" here'],
    [
      'ids of another length before a long text',
      `Order 7 failed: ${'no stock '.repeat(500)}`,
      `Order 48213997 failed: ${'no stock '.repeat(500)}`,
    ],
  ])('does not count %s', (_what, left, right) => {
    expect(normalizeMessage(left)).toBe(normalizeMessage(right));
    expect(of(left)).toBe(of(right));
  });

  it('counts the words of the message', () => {
    expect(of('The basket is empty')).not.toBe(of('The basket is full'));
    expect(of("The shop isn't open, it doesn't answer")).not.toBe(
      of("The shop isn't shut, it doesn't answer"),
    );
  });

  it('counts type and source, each by itself', () => {
    expect(fingerprint('a', 'b', 'x')).not.toBe(fingerprint('b', 'b', 'x'));
    expect(fingerprint('a', 'b', 'x')).not.toBe(fingerprint('a', 'c', 'x'));
    expect(fingerprint('a', 'bc', 'x')).not.toBe(fingerprint('ab', 'c', 'x'));
  });

  it('uses the application’s own frames for the fingerprint of a stack', () => {
    const stack = (line: number, file = '/app/pay.js') =>
      parseStackFrames(
        `Error: boom\n at f (/x/node_modules/l/i.js:${line}:1)\n at charge (${file}:${line}:5)`,
      );
    const ofStack = (message: string, line: number, file?: string) =>
      fingerprint('server_error', 'server', message, stack(line, file));
    expect(ofStack('The card was refused', 10)).toBe(ofStack('Something else', 99));
    expect(ofStack('The card was refused', 10)).not.toBe(ofStack('The card was refused', 10, '/app/ship.js'));
    expect(ofStack('x', 1, '/app/main-8f3a.js')).toBe(ofStack('x', 1, '/app/main-77bc.js'));
  });

  it('computes a fingerprint in a time that grows no faster than the message', () => {
    const hostile = ['"', "'", '`', "'a", "' ", '@', '1.', 'a"\'`', '"\'', ' '];
    for (const piece of hostile) {
      // A backtracking pattern would not end at this length: the time limit of the test is the assertion.
      normalizeMessage(piece.repeat(Math.ceil(32_768 / piece.length)));
      of(piece.repeat(500_000));
    }
  });
});

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateApiKey, hashApiKey, isWellFormedApiKey } from './key-format.ts';

describe('an API key', () => {
  it('makes an API key of the prefix, 32 random characters and 6 of a checksum, all of them word characters', () => {
    for (let round = 0; round < 200; round++) {
      const { rawKey, prefix, hash } = generateApiKey();
      expect(rawKey).toMatch(/^tsn_live_[0-9A-Za-z]{38}$/);
      expect(prefix).toBe(rawKey.slice(0, 14));
      expect(isWellFormedApiKey(rawKey)).toBe(true);
      expect(hash).toEqual(createHash('sha256').update(rawKey).digest());
      expect(hashApiKey(rawKey)).toEqual(hash);
    }
  });

  it('never makes the same API key twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => generateApiKey().rawKey)).size).toBe(1_000);
  });

  it('recognises an API key as mistyped when any one character differs', () => {
    const character = fc.constantFrom(
      ...Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_- é\0'),
    );
    fc.assert(
      fc.property(fc.nat(46), character, (index, replacement) => {
        const { rawKey } = generateApiKey();
        const mistyped = rawKey.slice(0, index) + replacement + rawKey.slice(index + 1);
        expect(isWellFormedApiKey(mistyped)).toBe(mistyped === rawKey);
      }),
      { numRuns: 500 },
    );
  });

  it('recognises an API key as mistyped when two neighbours are swapped', () => {
    fc.assert(
      fc.property(fc.nat(45), (index) => {
        const { rawKey } = generateApiKey();
        const swapped =
          rawKey.slice(0, index) + rawKey.charAt(index + 1) + rawKey.charAt(index) + rawKey.slice(index + 2);
        expect(isWellFormedApiKey(swapped)).toBe(swapped === rawKey);
      }),
      { numRuns: 500 },
    );
  });

  it('recognises no other text as an API key', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }),
        (text) => !isWellFormedApiKey(text),
      ),
    );
    for (const text of ['', 'tsn_live_', `${generateApiKey().rawKey} `, ` ${generateApiKey().rawKey}`]) {
      expect(isWellFormedApiKey(text)).toBe(false);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { generateRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';
import { generateTotpSecret, matchTotp, stepAt, toBase32, totpCode, totpUri } from './totp.ts';

const SECRET = toBase32(Buffer.from('12345678901234567890'));

describe('one-time codes', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('computes the codes of RFC 6238, appendix B, at %d s', (seconds, code) => {
    expect(totpCode(SECRET, stepAt(seconds * 1_000), 8)).toBe(code);
    expect(totpCode(SECRET, stepAt(seconds * 1_000))).toBe(code.slice(2));
  });

  it.each([
    ['755224', 0],
    ['287082', 1],
    ['359152', 2],
    ['520489', 9],
  ])('computes the codes of RFC 4226, appendix D: %s', (code, step) => {
    expect(totpCode(SECRET, step)).toBe(code);
  });

  it('encodes secrets as RFC 4648 does, without padding', () => {
    expect(SECRET).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    const vectors = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
    expect(vectors.map((text) => toBase32(Buffer.from(text)))).toEqual([
      '',
      'MY',
      'MZXQ',
      'MZXW6',
      'MZXW6YQ',
      'MZXW6YTB',
      'MZXW6YTBOI',
    ]);
  });

  it('takes a code one step early and one late, and each only after the last one that was used', () => {
    const nowMs = 1_000_000 * 30_000 + 29_999;
    const match = (step: number, afterStep = 0) =>
      matchTotp(SECRET, totpCode(SECRET, step), { nowMs, afterStep });
    expect([-2, -1, 0, 1, 2].map((offset) => match(1_000_000 + offset))).toEqual([
      null,
      999_999,
      1_000_000,
      1_000_001,
      null,
    ]);
    expect(match(1_000_000, 1_000_000)).toBeNull();
    expect(match(999_999, 1_000_000)).toBeNull();
    expect(match(1_000_001, 1_000_000)).toBe(1_000_001);
  });

  it.each(['', '12345', '1234567', '12 456', '１２３４５６', 'abcdef', '-12345', '123456\n'])(
    'refuses %j as a code',
    (code) => {
      expect(matchTotp(SECRET, code, { nowMs: 0, afterStep: -9 })).toBeNull();
    },
  );

  it('makes secrets of 160 random bits and an address that apps read', () => {
    const secrets = new Set(Array.from({ length: 100 }, generateTotpSecret));
    expect(secrets.size).toBe(100);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(totpUri(SECRET, 'a b+c:d@example.com')).toBe(
      `otpauth://totp/Tocsin:a%20b%2Bc%3Ad%40example.com?secret=${SECRET}&issuer=Tocsin&algorithm=SHA1&digits=6&period=30`,
    );
  });
});

describe('recovery codes', () => {
  it('makes ten different ones in groups of four', () => {
    const codes = generateRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  });

  it('gives a recovery code one hash however they are typed', () => {
    const hash = hashRecoveryCode('0123-4567-89ab-cdef');
    expect(hashRecoveryCode(' O123 4567\t89AB-cdef')).toEqual(hash);
    expect(hashRecoveryCode('oL23456789abcdef')).toEqual(hash);
    expect(hashRecoveryCode('0123-4567-89ab-cdeg')).not.toEqual(hash);
  });

  it.each([
    '',
    '123456',
    '0123-4567-89ab-cde',
    '0123-4567-89ab-cdeff',
    '0123-4567-89ab-cdeu',
    'ß'.repeat(16),
  ])('refuses %j as a recovery code', (text) => {
    expect(hashRecoveryCode(text)).toBeNull();
  });
});

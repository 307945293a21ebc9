import { describe, expect, it } from 'vitest';
import { totpCode } from '../../../test/support/totp-code.ts';
import { generateRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';
import { generateTotpSecret, matchTotp, totpUri } from './totp.ts';

/** The ASCII characters 12345678901234567890, as in the appendices of both RFCs. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const STEP_MS = 30_000;

const match = (code: string, nowMs: number, afterStep = -9) => matchTotp(SECRET, code, { nowMs, afterStep });

describe('one-time codes', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('takes the code of RFC 6238, appendix B, at %d s', (seconds, code) => {
    expect(match(code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
  });

  it.each([
    [0, '755224'],
    [1, '287082'],
    [2, '359152'],
    [9, '520489'],
  ])('takes the code of RFC 4226, appendix D, of step %d', (step, code) => {
    expect(match(code, step * STEP_MS)).toBe(step);
  });

  it('accepts a code one step early and one late, and each only after the last used one', () => {
    const nowMs = 1_000_000 * STEP_MS + STEP_MS - 1;
    const matchStep = (step: number, afterStep = 0) =>
      match(totpCode(SECRET, step * STEP_MS), nowMs, afterStep);
    expect([-2, -1, 0, 1, 2].map((offset) => matchStep(1_000_000 + offset))).toEqual([
      null,
      999_999,
      1_000_000,
      1_000_001,
      null,
    ]);
    expect(matchStep(1_000_000, 1_000_000)).toBeNull();
    expect(matchStep(999_999, 1_000_000)).toBeNull();
    expect(matchStep(1_000_001, 1_000_000)).toBe(1_000_001);
  });

  it('accepts a code that the app shows although a clock two hours ahead has stored a step', () => {
    const nowMs = 1_000_000 * STEP_MS;
    const matchAfter = (ahead: number, offset: number) =>
      match(totpCode(SECRET, nowMs + offset * STEP_MS), nowMs, 1_000_000 + ahead);
    expect([-1, 0, 1].map((offset) => matchAfter(240, offset))).toEqual([999_999, 1_000_000, 1_000_001]);
    // A process whose clock is a minute ahead may have taken a code of one step later.
    expect([-1, 0, 1].map((offset) => matchAfter(3, offset))).toEqual([null, null, null]);
    expect(matchAfter(4, 0)).toBe(1_000_000);
  });

  it.each(['', '12345', '1234567', '12 456', '１２３４５６', 'abcdef', '-12345', '123456\n'])(
    'refuses %j as a code',
    (code) => {
      expect(match(code, 0)).toBeNull();
    },
  );

  it('makes secrets of 160 random bits and an address that apps read', () => {
    const secrets = new Set(Array.from({ length: 100 }, generateTotpSecret));
    expect(secrets.size).toBe(100);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(totpUri(SECRET, 'a b+c:d@example.com'));
    expect(uri.href).toMatch(/^otpauth:\/\/totp\/Tocsin:a%20b%2Bc%3Ad%40example\.com\?/);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: SECRET,
      issuer: 'Tocsin',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('recovery codes', () => {
  it('generates ten different recovery codes in groups of four', () => {
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

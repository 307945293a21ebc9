import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/*
 * Time-based one-time codes (RFC 6238) as all authenticator apps support them: HMAC-SHA-1, steps of 30 s, 6 digits.
 */

const STEP_MS = 30_000;
const DIGITS = 6;
/** 160 bits, as RFC 4226, 4 recommends. */
const SECRET_BYTES = 20;
/** Steps before and after the present one, for clocks that differ and codes that are typed late (RFC 6238, 5.2). */
const TOLERATED_STEPS = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ISSUER = 'Tocsin';

/** A new secret in base32 (RFC 4648), without padding. */
export function generateTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** The code of a step (RFC 4226, 5.3). */
export function totpCode(secret: string, step: number, digits = DIGITS): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(message).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/**
 * The step of a code, if it is valid now and later than `afterStep`; else null. With the step of the last used code as
 * `afterStep` each code is valid once, and no earlier one after it.
 */
export function matchTotp(
  secret: string,
  code: string,
  { nowMs, afterStep }: { nowMs: number; afterStep: number },
): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const present = stepAt(nowMs);
  let matching: number | null = null;
  for (let step = present - TOLERATED_STEPS; step <= present + TOLERATED_STEPS; step++) {
    const isEqual = timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code));
    if (isEqual && step > afterStep) matching = step;
  }
  return matching;
}

/** The content of the QR code: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpUri(secret: string, account: string): string {
  const label = `${ISSUER}:${encodeURIComponent(account)}`;
  const parameters = { secret, issuer: ISSUER, algorithm: 'SHA1', digits: String(DIGITS), period: '30' };
  return `otpauth://totp/${label}?${new URLSearchParams(parameters).toString()}`;
}

export function toBase32(bytes: Buffer): string {
  let text = '';
  let pending = 0;
  let bits = 0;
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32.charAt((pending >>> (bits - 5)) & 31);
  }
  return bits > 0 ? text + BASE32.charAt((pending << (5 - bits)) & 31) : text;
}

/** @param text as `toBase32` returns it */
function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let pending = 0;
  let bits = 0;
  for (const character of text) {
    pending = ((pending << 5) | BASE32.indexOf(character)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((pending >>> bits) & 255);
  }
  return Buffer.from(bytes);
}

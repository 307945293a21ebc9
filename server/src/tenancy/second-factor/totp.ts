import { Secret, TOTP } from 'otpauth';
import { latestHold } from '../../platform/stored-times.ts';

/*
 * Time-based one-time codes (RFC 6238) as all authenticator apps support them: HMAC-SHA-1, steps of 30 s, 6 digits. They are
 * the defaults of the library, which computes the codes with `node:crypto`.
 */

const STEP_MS = 30_000;
/** 160 bits, as RFC 4226, 4 recommends. */
const SECRET_BYTES = 20;
/** Steps before and after the present one, for clocks that differ and codes that are typed late (RFC 6238, 5.2). */
const TOLERATED_STEPS = 1;

/** A new secret in base32 (RFC 4648), without padding. */
export function generateTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/**
 * Returns the step of a code, if it is valid now and later than `afterStep`; else null. With the step of the last
 * used code as `afterStep` each code is valid once, and no earlier one after it.
 */
export function matchTotp(
  secret: string,
  code: string,
  { nowMs, afterStep }: { nowMs: number; afterStep: number },
): number | null {
  // The library throws if a code of six characters has more than six bytes.
  if (!/^\d{6}$/.test(code)) return null;
  const distance = toTotp(secret).validate({ token: code, timestamp: nowMs, window: TOLERATED_STEPS });
  if (distance === null) return null;
  const step = Math.floor(nowMs / STEP_MS) + distance;
  // A step of a clock that was wrong holds no code back: not even the present one, which apps show.
  const isCredible = afterStep * STEP_MS <= latestHold(nowMs, TOLERATED_STEPS * STEP_MS);
  return step > afterStep || !isCredible ? step : null;
}

/** The content of the QR code: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpUri(secret: string, account: string): string {
  return toTotp(secret, account).toString();
}

function toTotp(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Tocsin', label, secret: Secret.fromBase32(secret) });
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { CLOCK_TOLERANCE_MS } from '../../platform/stored-times.ts';

export const SESSION_LIFETIME_SECONDS = 7 * 24 * 60 * 60;

/** Content of the session cookie's JWT (HS256): it names a user and a row of `sessions`, and carries no rights. */
export interface SessionToken {
  userId: string;
  sessionId: string;
}

const AUDIENCE = 'tocsin';
const MAX_LENGTH = 2_048;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

/**
 * Signs and verifies tokens. Synchronous: every request carries a token, and libuv's threads may be busy with
 * passwords. jose 6 only has asynchronous functions.
 */
export class TokenSigner {
  readonly #secret: string;

  /** @param secret at least 32 characters */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** @param nowMs time of issue; the token is valid for 7 days from then */
  sign({ userId, sessionId }: SessionToken, nowMs: number): string {
    const iat = Math.floor(nowMs / 1000);
    const exp = iat + SESSION_LIFETIME_SECONDS;
    const signed = `${HEADER}.${encode({ sid: sessionId, sub: userId, aud: AUDIENCE, iat, exp })}`;
    return `${signed}.${this.#signatureOf(signed)}`;
  }

  /** Returns the token's content; null if it is forged, expired or malformed. */
  verify(text: string, nowMs: number): SessionToken | null {
    const parts = text.split('.');
    if (parts.length !== 3 || text.length > MAX_LENGTH) return null;
    const [header = '', payload = '', signature = ''] = parts;
    if (!isEqual(signature, this.#signatureOf(`${header}.${payload}`))) return null;
    return isHeader(decode(header)) ? readPayload(decode(payload), nowMs / 1000) : null;
  }

  #signatureOf(signed: string): string {
    return createHmac('sha256', this.#secret).update(signed).digest('base64url');
  }
}

/** Checks the header; `crit` names extensions that a verifier must support, and none is supported. */
function isHeader(header: Record<string, unknown>): boolean {
  return header.alg === 'HS256' && header.typ === 'JWT' && header.crit === undefined;
}

/** Validates every field: another program may sign with the same secret. */
function readPayload(payload: Record<string, unknown>, nowSeconds: number): SessionToken | null {
  const { sub: userId, sid: sessionId, iat, exp, nbf = 0, aud } = payload;
  if (typeof userId !== 'string' || typeof sessionId !== 'string' || !UUID.test(sessionId)) return null;
  if (!isMoment(iat) || !isMoment(exp) || !isMoment(nbf) || aud !== AUDIENCE) return null;
  // A time of issue in the future comes from a clock that was ahead: the row of the session decides.
  const isValid = nbf <= nowSeconds + CLOCK_TOLERANCE_MS / 1_000 && exp > nowSeconds;
  return isValid ? { userId, sessionId } : null;
}

/** True for a finite number: JSON may contain `1e999`, which is parsed as Infinity. */
function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Parses the object in a part of a token; empty if there is none. */
function decode(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    // Any object is a record of unknowns.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isEqual(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}

import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TokenSigner } from './tokens.ts';

const SECRET = 'the secret of this test file: long enough';
const SESSION = '01890000-0000-7000-8000-000000000001';
const USER = '01890000-0000-7000-8000-000000000002';
const NOW_SECONDS = 1_800_000_000;
const CLAIMS = { aud: 'tocsin', sid: SESSION, sub: USER, iat: NOW_SECONDS, exp: NOW_SECONDS + 604_800 };
const HEADER = { alg: 'HS256', typ: 'JWT' };

describe('a session token', () => {
  const signer = new TokenSigner(SECRET);
  const verify = (token: string, seconds = NOW_SECONDS) => signer.verify(token, seconds * 1000);
  const base64url = (text: string) => Buffer.from(text).toString('base64url');
  /** Signed by hand, so that no code tests itself. */
  const sign = (payload: object | string, header: object = HEADER, hash = 'sha256') => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const signed = `${base64url(JSON.stringify(header))}.${base64url(text)}`;
    return `${signed}.${createHmac(hash, SECRET).update(signed).digest('base64url')}`;
  };

  it('issues a session token for 7 days that names its user and its session', () => {
    const token = signer.sign({ userId: USER, sessionId: SESSION }, NOW_SECONDS * 1000 + 999);
    expect(verify(token)).toEqual({ userId: USER, sessionId: SESSION });
    expect(verify(token, NOW_SECONDS + 604_799)).not.toBeNull();
    expect(verify(token, NOW_SECONDS + 604_800)).toBeNull();
  });

  it('issues a session token as a JWT with a type and an audience', () => {
    const [header = '', payload = ''] = signer
      .sign({ userId: USER, sessionId: SESSION }, NOW_SECONDS * 1000)
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header)).toEqual(HEADER);
    expect(JSON.parse(payload)).toEqual(CLAIMS);
  });

  it('accepts a session token from a process whose clock was ahead', () => {
    expect(verify(sign({ ...CLAIMS, iat: NOW_SECONDS + 200 * 86_400 }))).not.toBeNull();
  });

  it.each<[string, string]>([
    ['that is not valid yet', sign({ ...CLAIMS, nbf: NOW_SECONDS + 61 })],
    ['with an endless end', sign(JSON.stringify(CLAIMS).replace(/"exp":\d+/, '"exp":1e999'))],
    ['issued at no time', sign(JSON.stringify(CLAIMS).replace(/"iat":\d+/, '"iat":-1e999'))],
    ['with an end in words', sign({ ...CLAIMS, exp: '2030-01-01' })],
    ['without an end', sign({ ...CLAIMS, exp: undefined })],
    ['without a beginning', sign({ ...CLAIMS, iat: undefined })],
    ['without a user', sign({ ...CLAIMS, sub: undefined })],
    ['without an audience', sign({ ...CLAIMS, aud: undefined })],
    ['for another audience', sign({ ...CLAIMS, aud: 'billing' })],
    ['for several audiences', sign({ ...CLAIMS, aud: ['tocsin', 'billing'] })],
    ['without a type', sign(CLAIMS, { alg: 'HS256' })],
    ['of another type', sign(CLAIMS, { ...HEADER, typ: 'at+jwt' })],
    ['with an extension', sign(CLAIMS, { ...HEADER, crit: ['b64'], b64: true })],
    ['of another algorithm', sign(CLAIMS, { ...HEADER, alg: 'HS512' }, 'sha512')],
    ['that says another algorithm', sign(CLAIMS, { ...HEADER, alg: 'none' })],
    ['with the algorithm in small letters', sign(CLAIMS, { ...HEADER, alg: 'hs256' })],
    ['whose payload is a list', sign('[]')],
    ['whose payload is no JSON', sign('nonsense')],
    ['that is longer than a cookie', sign({ ...CLAIMS, more: 'x'.repeat(3_000) })],
    ['without a signature', `${sign(CLAIMS).split('.', 2).join('.')}.`],
    ['with the signature padded', `${sign(CLAIMS)}=`],
    ['of two parts', sign(CLAIMS).split('.', 2).join('.')],
    ['of four parts', `${sign(CLAIMS)}.x`],
    ['that is empty', ''],
  ])('refuses a token %s', (_what, token) => {
    expect(verify(token)).toBeNull();
  });
});

import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

/** Key pair by which push services identify the sender (RFC 8292). Both in base64url. */
export interface VapidKeys {
  /** Point of P-256, uncompressed. */
  publicKey: string;
  /** Private key in PKCS #8. */
  privateKey: string;
}

/** Within the day that RFC 8292, 2, allows, even if the clock is hours ahead. */
const LIFETIME_SECONDS = 12 * 3_600;
/** Length of the point, which ends a public key in SubjectPublicKeyInfo. */
const POINT_BYTES = 65;

export function generateVapidKeys(): VapidKeys {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-POINT_BYTES);
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  return { publicKey: point.toString('base64url'), privateKey: secret.toString('base64url') };
}

/**
 * Returns the value of `Authorization` for a request to a push service: a JWT (ES256) for its origin.
 * @param subject contact of this service's operator: `https:` or `mailto:`
 */
export function authorizePush(
  { publicKey, privateKey }: VapidKeys,
  { endpoint, subject, nowMs }: { endpoint: string; subject: string; nowMs: number },
): string {
  const exp = Math.floor(nowMs / 1_000) + LIFETIME_SECONDS;
  const content = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode({ aud: new URL(endpoint).origin, exp, sub: subject })}`;
  const key = createPrivateKey({
    key: Buffer.from(privateKey, 'base64url'),
    format: 'der',
    type: 'pkcs8',
  });
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${content}.${signature.toString('base64url')}, k=${publicKey}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

/** By which push services know the sender (RFC 8292). Both in base64url. */
export interface VapidKeys {
  /** A point of P-256, uncompressed. */
  publicKey: string;
  /** In PKCS #8. */
  privateKey: string;
}

/** Within the day that RFC 8292, 2, allows: also by a clock that is hours ahead. */
const LIFETIME_SECONDS = 12 * 3_600;
/** Of a public key in SubjectPublicKeyInfo: the point itself is its end. */
const POINT_BYTES = 65;

export function generateVapidKeys(): VapidKeys {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-POINT_BYTES);
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  return { publicKey: point.toString('base64url'), privateKey: secret.toString('base64url') };
}

/**
 * The value of `Authorization` of a request to a push service: a JWT (ES256) for its origin.
 * @param subject how its operator reaches that of this service: `https:` or `mailto:`
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

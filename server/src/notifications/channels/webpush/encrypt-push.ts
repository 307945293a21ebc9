import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** Subscription of a browser, as its Push API returns it. */
export interface Subscription {
  endpoint: string;
  keys: {
    /** Public key of the browser on P-256, uncompressed: 65 bytes in base64url. */
    p256dh: string;
    /** Authentication secret: 16 bytes in base64url. */
    auth: string;
  };
}

/** Push services accept at least that much (RFC 8030, 7.2), and most no more. */
const MAX_BODY_BYTES = 4_096;
const RECORD_BYTES = 4_096;
const SALT_BYTES = 16;
const PUBLIC_KEY_BYTES = 65;
const AUTH_BYTES = 16;
const TAG_BYTES = 16;
/** Delimiter that ends the only record (RFC 8188, 2). */
const LAST_RECORD = 2;
const HEADER_BYTES = SALT_BYTES + 4 + 1 + PUBLIC_KEY_BYTES;

/** Maximum bytes of a message: header, delimiter and tag take the rest. */
export const MAX_PLAIN_BYTES = MAX_BODY_BYTES - HEADER_BYTES - 1 - TAG_BYTES;

const CURVE = 'prime256v1';

/** True if both keys have the form that browsers make, and the first is a point of the curve. */
export function isSubscriptionKeys({ p256dh, auth }: Subscription['keys']): boolean {
  if (decode(auth).length !== AUTH_BYTES || decode(p256dh).length !== PUBLIC_KEY_BYTES) return false;
  try {
    const ecdh = createECDH(CURVE);
    ecdh.generateKeys();
    ecdh.computeSecret(decode(p256dh));
    return true;
  } catch {
    return false;
  }
}

/** Random parts of a message; only tests pass them. */
export interface PushSecrets {
  salt: Buffer;
  /** Private key on P-256. */
  privateKey: Buffer;
}

/**
 * Encrypts a message for a browser (RFC 8291), as the body of a request with `Content-Encoding: aes128gcm`: only that
 * browser can read it, not the push service. By hand, with the vectors of the RFC: web-push 3.6 needs five packages
 * for what `node:crypto` has.
 * @param plain at most `MAX_PLAIN_BYTES`
 */
export function encryptPush(
  plain: Buffer,
  { p256dh, auth }: Subscription['keys'],
  secrets: PushSecrets | null = null,
): Buffer {
  const ecdh = createECDH(CURVE);
  if (secrets) ecdh.setPrivateKey(secrets.privateKey);
  else ecdh.generateKeys();
  const [receiver, sender] = [decode(p256dh), ecdh.getPublicKey()];
  // RFC 8291, 3.3: HKDF with the secret of the subscription as the salt, bound to both keys.
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender]);
  const keyMaterial = hkdf(ecdh.computeSecret(receiver), { salt: decode(auth), info, length: 32 });
  return encryptRecord(plain, { keyMaterial, keyId: sender, salt: secrets?.salt ?? randomBytes(SALT_BYTES) });
}

/** Encrypts a body of one record (RFC 8188). */
export function encryptRecord(
  plain: Buffer,
  { keyMaterial, keyId, salt }: { keyMaterial: Buffer; keyId: Buffer; salt: Buffer },
): Buffer {
  if (plain.length + 1 + TAG_BYTES > RECORD_BYTES) throw new RangeError('The message exceeds one record.');
  const key = hkdf(keyMaterial, { salt, info: Buffer.from('Content-Encoding: aes128gcm\0'), length: 16 });
  const nonce = hkdf(keyMaterial, { salt, info: Buffer.from('Content-Encoding: nonce\0'), length: 12 });
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = [cipher.update(plain), cipher.update(Buffer.of(LAST_RECORD)), cipher.final()];
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES, 0);
  sizes.writeUInt8(keyId.length, 4);
  return Buffer.concat([salt, sizes, keyId, ...sealed, cipher.getAuthTag()]);
}

function hkdf(
  keyMaterial: Buffer,
  { salt, info, length }: { salt: Buffer; info: Buffer; length: number },
): Buffer {
  return Buffer.from(hkdfSync('sha256', keyMaterial, salt, info, length));
}

function decode(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

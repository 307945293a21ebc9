import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Secrets that the service issues have one form: a prefix that names the kind, 32 random base62 characters (190
 * bits), and the CRC-32 of all that in 6 base62 characters: a mistyped one is refused without a query, and scanners
 * for leaked secrets recognise it. Only `\w` characters.
 */
export type SecretPrefix =
  | 'tsn_live_'
  | 'tsn_pat_'
  | 'tsn_inv_'
  | 'tsn_rec_'
  | 'tsn_ping_'
  | 'tsn_hook_'
  | 'tsn_pkey_'
  | 'tsn_adr_'
  | 'tsn_eml_';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** Generates a secret, which only its user keeps, and its hash, which only the database keeps. */
export function generateSecret(prefix: SecretPrefix): { secret: string; hash: Buffer } {
  let body: string = prefix;
  for (let index = 0; index < RANDOM_LENGTH; index++) body += ALPHABET.charAt(randomInt(ALPHABET.length));
  const secret = body + checksum(body);
  return { secret, hash: hashSecret(secret) };
}

/** True if a text has the form of a secret of this kind. Does not say that the secret exists. */
export function isWellFormedSecret(prefix: SecretPrefix, text: string): boolean {
  if (text.length !== prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH || !text.startsWith(prefix))
    return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** SHA-256: a secret has too much randomness to be guessed, so no slow hash is needed. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * A key is `tsn_live_`, 32 random base62 characters (190 bits), and the CRC-32 of all that in 6 base62
 * characters: a mistyped key is refused without a query. Only `\w` characters.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'tsn_live_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
/** How much of a key is stored in plain text, to tell keys apart in a list. */
const SHOWN_LENGTH = 14;

export function generateApiKey(): { rawKey: string; prefix: string; hash: Buffer } {
  let body = PREFIX;
  for (let index = 0; index < RANDOM_LENGTH; index++) body += ALPHABET.charAt(randomInt(ALPHABET.length));
  const rawKey = body + checksum(body);
  return { rawKey, prefix: rawKey.slice(0, SHOWN_LENGTH), hash: hashApiKey(rawKey) };
}

/** Whether a text has the form of a key. Says nothing about whether the key exists. */
export function isWellFormedApiKey(text: string): boolean {
  if (text.length !== KEY_LENGTH || !text.startsWith(PREFIX)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** SHA-256: a key has too much randomness to be guessed, so no slow hash is needed. */
export function hashApiKey(rawKey: string): Buffer {
  return createHash('sha256').update(rawKey).digest();
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

import { generateSecret, hashSecret, isWellFormedSecret } from '../secret-format.ts';

const PREFIX = 'tsn_live_';
/** Characters of a key that are stored in plain text, to tell keys apart in a list. */
export const SHOWN_LENGTH = 14;

export function generateApiKey(): { rawKey: string; prefix: string; hash: Buffer } {
  const { secret: rawKey, hash } = generateSecret(PREFIX);
  return { rawKey, prefix: rawKey.slice(0, SHOWN_LENGTH), hash };
}

/** True if a text has the form of a key. Does not say that the key exists. */
export function isWellFormedApiKey(text: string): boolean {
  return isWellFormedSecret(PREFIX, text);
}

export function hashApiKey(rawKey: string): Buffer {
  return hashSecret(rawKey);
}

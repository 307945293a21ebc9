import { generateSecret, hashSecret, isWellFormedSecret, type SecretPrefix } from '../secret-format.ts';
import type { KeyUse } from './schema.ts';

const PREFIX = 'tsn_live_';
/** Another prefix than that of other keys: where these are taken, a ping key has no form of one. */
const PING_PREFIX = 'tsn_pkey_';
/** Characters of a key that are stored in plain text, to tell keys apart in a list. */
export const SHOWN_LENGTH = 14;

export function generateApiKey(use: KeyUse = 'server'): { rawKey: string; prefix: string; hash: Buffer } {
  const { secret: rawKey, hash } = generateSecret(use === 'ping' ? PING_PREFIX : PREFIX);
  return { rawKey, prefix: rawKey.slice(0, SHOWN_LENGTH), hash };
}

/** True if a text has the form of a key. Does not say that the key exists. */
export function isWellFormedApiKey(text: string): boolean {
  return isWellFormedSecret(PREFIX, text);
}

export function isWellFormedPingKey(text: string): boolean {
  return isWellFormedSecret(PING_PREFIX, text);
}

export function hashApiKey(rawKey: string): Buffer {
  return hashSecret(rawKey);
}

/** Kinds of secrets that requests to ingestion have. */
const KINDS: readonly SecretPrefix[] = [PREFIX, PING_PREFIX, 'tsn_hook_', 'tsn_ping_'];
const BEGINNING = new RegExp(`^(?:${KINDS.join('|')})`);

/** Returns the hash of a text that has the form of a secret of ingestion; null: it has none. */
export function hashIngestSecret(text: string): Buffer | null {
  return KINDS.some((prefix) => isWellFormedSecret(prefix, text)) ? hashSecret(text) : null;
}

/**
 * Returns the characters of a secret of ingestion that are shown, however it ends; null: it does not begin as one, and
 * nothing of it may be shown.
 */
export function shownBeginningOf(text: string): string | null {
  return BEGINNING.test(text) ? (/^\w+/.exec(text.slice(0, SHOWN_LENGTH))?.[0] ?? null) : null;
}

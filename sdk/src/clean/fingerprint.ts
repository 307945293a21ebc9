import { describe } from './describe.ts';
import { MAX_FINGERPRINT_LENGTH, MAX_FINGERPRINT_PARTS } from './limits.ts';
import { attempt } from './read.ts';

/** Leaves out empty parts and cuts long ones; undefined if none is left: then the server computes the fingerprint. */
export function cleanFingerprint(given: unknown): string[] | undefined {
  const parts =
    attempt((): unknown[] => (Array.isArray(given) ? given.slice(0, MAX_FINGERPRINT_PARTS) : [])) ?? [];
  const texts = parts
    .filter((part) => part !== undefined && part !== null)
    .map((part) => describe(part, MAX_FINGERPRINT_LENGTH))
    .filter((text) => text !== '');
  return texts.length > 0 ? texts : undefined;
}

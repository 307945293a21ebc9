import { randomBytes } from 'node:crypto';
import { hashSecret } from '../secret-format.ts';

/*
 * Codes that replace a one-time code if the app is lost: 16 characters of 5 random bits each, in groups of four.
 * Crockford's base32 has no letters that look like digits (https://www.crockford.com/base32.html).
 */

const COUNT = 10;
const LENGTH = 16;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export function generateRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const characters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('');
    return characters.replaceAll(/.{4}(?=.)/g, '$&-');
  });
}

/**
 * SHA-256, since 80 random bits cannot be searched for. The same for every way to type the code; null for a text that
 * is no such code.
 */
export function hashRecoveryCode(typed: string): Buffer | null {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const isCode = code.length === LENGTH && Array.from(code).every((each) => ALPHABET.includes(each));
  return isCode ? hashSecret(code) : null;
}

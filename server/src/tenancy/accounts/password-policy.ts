import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../platform/errors.ts';

/** Check of new passwords: none, or against a list of the most common ones. */
export const PasswordCheck = Type.Enum(['none', 'common']);
export type PasswordCheck = Static<typeof PasswordCheck>;

const COMMON_PASSWORDS = new URL('../../../lists/common-passwords.txt', import.meta.url);
const MAX_BYTES = 1024;

/**
 * Refuses a new password that the installation does not allow.
 * @param pointer path of its field
 * @throws ApiError `validation_failed`
 */
export type AssertNewPassword = (password: string, pointer: string) => void;

export function createPasswordPolicy(check: PasswordCheck): AssertNewPassword {
  const common = check === 'common' ? readCommonPasswords() : null;
  return (password, pointer) => {
    // The schema counts characters; the limit of the hash is in bytes.
    if (Buffer.byteLength(password) > MAX_BYTES)
      refuse(pointer, 'The password is longer than 1,024 bytes.', 'must not be longer than 1,024 bytes');
    if (common?.has(password.toLowerCase()))
      refuse(
        pointer,
        'The password is one of the most common ones, which attackers guess first.',
        'must not be one of the most common passwords, which are guessed first',
      );
  };
}

/** All in lower case. */
export function readCommonPasswords(): ReadonlySet<string> {
  const lines = readFileSync(COMMON_PASSWORDS, 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
}

function refuse(pointer: string, sentence: string, message: string): never {
  throw new ApiError('validation_failed', sentence, { fields: [{ pointer, message }] });
}

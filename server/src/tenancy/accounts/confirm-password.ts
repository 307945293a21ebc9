import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import { ApiError } from '../../platform/errors.ts';
import { SECOND_FACTOR_ERRORS } from '../second-factor/errors.ts';
import { findFactor } from '../second-factor/queries.ts';
import { type CodeCheck, unreadableSecret, useCode } from '../second-factor/use-code.ts';
import type { Session } from '../session.ts';
import { assertMayGuess, type Guess, outcomeOf, recordGuess } from './guess-limits.ts';
import type { PasswordHasher } from './passwords.ts';
import { findUserByEmail, lockPassword } from './queries.ts';

export interface PasswordDependencies extends Store {
  passwords: PasswordHasher;
}

/**
 * Checks the password of the session's user, for a change that a stolen session alone must not make.
 * @returns the hash that was checked: the change locks it, since the password may be changed meanwhile
 * @throws ApiError `validation_failed` if the password is wrong, `too_many_logins` if it was often
 */
export async function confirmPassword(
  { passwords, ...store }: PasswordDependencies,
  session: Session,
  input: { password: string; pointer: string; address: string },
): Promise<string> {
  const { guess, checkedHash } = await checkPassword({ passwords, ...store }, session, input);
  await inTransaction(store, async (transaction) => {
    if (checkedHash === null) return recordGuess(transaction, guess, 'wrong');
    const factor = await findFactor(transaction, session.user.id);
    return recordGuess(transaction, guess, factor?.activatedAt ? 'undecided' : 'right');
  });
  if (checkedHash === null) throw wrongPassword(input.pointer);
  return checkedHash;
}

/**
 * Makes a change for which the user of the session enters password and code.
 * @throws ApiError `validation_failed` if one of them is wrong, `too_many_logins`, `totp_not_active`,
 * `encryption_key_missing`
 */
export async function changeWithCode<T>(
  { passwords, encryption, ...store }: PasswordDependencies & { encryption: Encryption },
  session: Session,
  input: { password: string; code: string; address: string },
  change: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const userId = session.user.id;
  const { guess, checkedHash } = await checkPassword({ passwords, ...store }, session, input);
  const outcome = await inTransaction(store, async (transaction) => {
    if (checkedHash === null || !(await lockPassword(transaction, userId, checkedHash, 'update'))) {
      await recordGuess(transaction, guess, 'wrong');
      return { refusal: wrongPassword('/password') };
    }
    const check = await useCode(transaction, encryption, { userId, code: input.code });
    await recordGuess(transaction, guess, outcomeOf(check));
    if (check.result !== 'right') return { refusal: refusalOf(check) };
    return { changed: await change(transaction) };
  });
  // Thrown here, so that the transaction keeps the count of failures.
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.changed;
}

/** Returns the hash of the password if it is right, else null. */
async function checkPassword(
  { passwords, pool, clock }: PasswordDependencies,
  session: Session,
  { password, address }: { password: string; address: string },
): Promise<{ guess: Guess; checkedHash: string | null }> {
  const { email } = session.user;
  const guess = guessInSession(session, address);
  await assertMayGuess(pool, clock.now(), guess);
  const user = await findUserByEmail(pool, email);
  const matches = await passwords.verify(user?.passwordHash ?? null, password, guess);
  return { guess, checkedHash: user && matches ? user.passwordHash : null };
}

/** Each session has its own limit: guesses in a stolen one do not keep the owner from a change. */
export function guessInSession({ id, user }: Session, address: string): Guess {
  return { email: user.email, address, trusted: `session:${id}` };
}

export function wrongPassword(pointer: string): ApiError {
  return new ApiError('validation_failed', 'The current password is wrong.', {
    fields: [{ pointer, message: 'is wrong' }],
  });
}

export function wrongCode(): ApiError {
  return new ApiError('validation_failed', 'This code is wrong, has expired, or has been used.', {
    fields: [{ pointer: '/code', message: 'is wrong' }],
  });
}

function refusalOf(check: CodeCheck): ApiError {
  if (check.result === 'unreadable') return unreadableSecret(check.error);
  return check.result === 'none' ? totpNotActive() : wrongCode();
}

function totpNotActive(): ApiError {
  return new ApiError(SECOND_FACTOR_ERRORS.totp_not_active, 'Two-factor authentication is not on.');
}

import { inTransaction, type Store } from '../../database/database.ts';
import { confirmedTime } from '../../platform/clock.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import { ApiError } from '../../platform/errors.ts';
import { normalizeEmail } from '../email.ts';
import { SECOND_FACTOR_ERRORS } from '../second-factor/errors.ts';
import { type CodeCheck, unreadableSecret, useCode } from '../second-factor/use-code.ts';
import type { DeviceCookie } from './device-cookie.ts';
import { ACCOUNT_ERRORS } from './errors.ts';
import { assertMayGuess, type Guess, outcomeOf, recordGuess } from './guess-limits.ts';
import type { PasswordHasher } from './passwords.ts';
import { findUserByEmail, lockPassword } from './queries.ts';
import type { SessionOrigin } from './schema.ts';
import { type NewSession, openSession } from './sessions.ts';

export interface LogInDependencies extends Store {
  passwords: PasswordHasher;
  devices: DeviceCookie;
  encryption: Encryption;
}

export interface LogInInput {
  email: string;
  password: string;
  /** One-time code or recovery code; without a second factor it is ignored. */
  code?: string;
  /** Client's address as `addressKey` returns it. */
  address: string;
  /** Browser's device cookie. */
  device: string | undefined;
  origin: SessionOrigin;
}

/** Outcome of a login; `userId` is that of the account, null if there is none. */
export type LogInOutcome =
  | { result: 'succeeded'; userId: string; session: NewSession }
  | { result: 'failed' | 'code_required'; userId: string | null; refusal: ApiError };

/**
 * Checks e-mail, password and the second factor of a user who has one, and creates a session. Nothing is kept between
 * two attempts, and an unknown e-mail takes the same time as a wrong password. Only with the right password does the
 * outcome reveal that there is a second factor.
 * @throws ApiError `too_many_logins`; it passes by itself
 */
export async function logIn(
  { passwords, devices, encryption, ...store }: LogInDependencies,
  input: LogInInput,
): Promise<LogInOutcome> {
  const { pool, clock } = store;
  const email = normalizeEmail(input.email);
  const user = await findUserByEmail(pool, email);
  const device = user && devices.read(input.device, user.id, confirmedTime(clock));
  const guess: Guess = { email, address: input.address, trusted: device && `device:${device}` };
  await assertMayGuess(pool, clock.now(), guess);

  const matches = await passwords.verify(user?.passwordHash ?? null, input.password, guess);
  return inTransaction(store, async (transaction): Promise<LogInOutcome> => {
    // The password may have been changed during the check: no session starts with the old one.
    const isRight =
      user !== null && matches && (await lockPassword(transaction, user.id, user.passwordHash, 'share'));
    if (!isRight) {
      await recordGuess(transaction, guess, 'wrong');
      return { result: 'failed', userId: user?.id ?? null, refusal: wrongCredentials() };
    }
    const userId = user.id;
    const check = await useCode(transaction, encryption, { userId, code: input.code });
    // A refusal beyond the limit undoes the use of the code.
    await recordGuess(transaction, guess, outcomeOf(check));
    const refusal = refusalOf(check);
    if (refusal) return { result: check.result === 'missing' ? 'code_required' : 'failed', userId, refusal };
    const session = await openSession(transaction, userId, input.origin);
    return { result: 'succeeded', userId, session };
  });
}

function wrongCredentials(): ApiError {
  return new ApiError(ACCOUNT_ERRORS.invalid_credentials, 'Wrong email or password.');
}

function refusalOf(check: CodeCheck): ApiError | null {
  switch (check.result) {
    case 'missing':
      return new ApiError(
        SECOND_FACTOR_ERRORS.totp_required,
        'Enter the code that your authenticator app shows, or a recovery code.',
      );
    case 'wrong':
      return new ApiError(
        SECOND_FACTOR_ERRORS.invalid_totp_code,
        'This code is wrong, has expired, or has been used. Enter the next one of your app, or a recovery code.',
      );
    case 'unreadable':
      return unreadableSecret(check.error);
    default:
      return null;
  }
}

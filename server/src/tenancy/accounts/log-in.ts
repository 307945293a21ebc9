import { inTransaction, type Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { normalizeEmail } from '../email.ts';
import type { DeviceCookie } from './device-cookie.ts';
import { ACCOUNT_ERRORS } from './errors.ts';
import { assertMayGuess, type Guess, settleGuess } from './guess-limits.ts';
import type { PasswordHasher } from './passwords.ts';
import { findUserByEmail, lockPassword } from './queries.ts';
import type { SessionOrigin } from './schema.ts';
import { type NewSession, openSession } from './sessions.ts';

export interface LogInDependencies extends Store {
  passwords: PasswordHasher;
  devices: DeviceCookie;
}

export interface LogInInput {
  email: string;
  password: string;
  /** The client's address as `addressKey` returns it. */
  address: string;
  /** The browser's device cookie. */
  device: string | undefined;
  origin: SessionOrigin;
}

/** The outcome of a login; `userId` is that of the account, null if there is none. */
export type LogInOutcome =
  | { result: 'succeeded'; userId: string; session: NewSession }
  | { result: 'failed'; userId: string | null };

/**
 * Checks e-mail and password and creates a session. An unknown e-mail takes the same time as a wrong password.
 * @throws ApiError `too_many_logins`; it passes by itself
 */
export async function logIn(
  { passwords, devices, ...store }: LogInDependencies,
  input: LogInInput,
): Promise<LogInOutcome> {
  const { pool, clock } = store;
  const email = normalizeEmail(input.email);
  const user = await findUserByEmail(pool, email);
  const device = user && devices.read(input.device, user.id, clock.now());
  const guess: Guess = { email, address: input.address, trusted: device && `device:${device}` };
  await assertMayGuess(pool, clock.now(), guess);

  const matches = await passwords.verify(user?.passwordHash ?? null, input.password, input.address);
  return inTransaction(store, async (transaction): Promise<LogInOutcome> => {
    // The password may have been changed during the check: no session starts with the old one.
    const isRight =
      user !== null && matches && (await lockPassword(transaction, user.id, user.passwordHash, 'share'));
    await settleGuess(transaction, guess, isRight);
    if (!isRight) return { result: 'failed', userId: user?.id ?? null };
    const session = await openSession(transaction, user.id, input.origin);
    return { result: 'succeeded', userId: user.id, session };
  });
}

export function wrongCredentials(): ApiError {
  return new ApiError(ACCOUNT_ERRORS.invalid_credentials, 'Wrong email or password.');
}

import type { Clock } from '../platform/clock.ts';
import { inTransaction, type Pool, type Queryable } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { verifyPassword } from '../platform/passwords.ts';
import { normalizeEmail } from './email.ts';
import {
  countLoginFailures,
  deleteLoginFailures,
  findUserByEmail,
  insertLoginFailures,
  lockLoginFailures,
} from './queries.ts';

const WINDOW_MS = 5 * 60_000;
const MAX_FAILURES_PER_ACCOUNT = 10;
const MAX_FAILURES_PER_ADDRESS = 300;

/**
 * Checks e-mail and password. An unknown e-mail takes the same time as a wrong password and answers the same.
 * @returns the user's UUID
 * @throws ApiError `invalid_credentials`, or `too_many_logins` after 10 failures for the account or 300 from
 * the address within 5 minutes; it passes by itself
 */
export async function logIn(
  pool: Pool,
  clock: Clock,
  input: { email: string; password: string; address: string },
): Promise<string> {
  const email = normalizeEmail(input.email);
  const account = `account:${email}`;
  const address = `address:${input.address}`;
  await assertNotLimited(pool, clock, account, address);

  const user = await findUserByEmail(pool, email);
  const matches = await verifyPassword(user?.passwordHash ?? null, input.password);
  // Guesses that were checked side by side are counted one after the other: none past the limit learns
  // whether it was right.
  await inTransaction(pool, async (transaction) => {
    await lockLoginFailures(transaction, account);
    await assertNotLimited(transaction, clock, account, address);
    if (matches) await deleteLoginFailures(transaction, account);
    else await insertLoginFailures(transaction, [account, address], new Date(clock.now()));
  });
  if (!user || !matches) {
    throw new ApiError('invalid_credentials', 'There is no account with this e-mail address and password.');
  }
  return user.id;
}

async function assertNotLimited(
  database: Queryable,
  clock: Clock,
  account: string,
  address: string,
): Promise<void> {
  const now = clock.now();
  const failures = await countLoginFailures(database, [account, address], new Date(now - WINDOW_MS));
  const limited = [
    { failed: failures.get(account), maximum: MAX_FAILURES_PER_ACCOUNT },
    { failed: failures.get(address), maximum: MAX_FAILURES_PER_ADDRESS },
  ].find(({ failed, maximum }) => (failed?.count ?? 0) >= maximum);
  if (!limited?.failed) return;
  throw new ApiError('too_many_logins', 'Too many logins failed: try again in some minutes.', {
    retryAfterSeconds: Math.max(1, Math.ceil((limited.failed.oldest.getTime() + WINDOW_MS - now) / 1000)),
  });
}

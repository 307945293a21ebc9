import { inTransaction, type Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Session } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { assertMayGuess, type Guess, settleGuess } from './guess-limits.ts';
import type { PasswordHasher } from './passwords.ts';
import { deleteSessionsOf, findUserByEmail, lockPassword, updatePasswordHash } from './queries.ts';
import type { SessionOrigin } from './schema.ts';
import { type NewSession, openSession } from './sessions.ts';

/**
 * Sets a new password and replaces all sessions of the user by a new one: a copied cookie is invalid, and a concurrent
 * login with the old password gets no session.
 * @throws ApiError `validation_failed` where the current password is wrong, `too_many_logins` where it was often
 */
export async function changePassword(
  { passwords, ...store }: Store & { passwords: PasswordHasher },
  session: Session,
  input: { current: string; new: string; address: string; origin: SessionOrigin },
): Promise<NewSession> {
  const { id: userId, email } = session.user;
  const { address } = input;
  const { pool, clock } = store;
  // Each session has its own limit: guesses in a stolen one do not keep the owner from changing the password.
  const guess: Guess = { email, address, trusted: `session:${session.id}` };
  await assertMayGuess(pool, clock.now(), guess);
  const user = await findUserByEmail(pool, email);
  const checkedHash = user?.passwordHash ?? null;
  const matches = await passwords.verify(checkedHash, input.current, address);
  await inTransaction(store, (transaction) => settleGuess(transaction, guess, matches));
  if (checkedHash === null || !matches) throw wrongCurrentPassword();

  const passwordHash = await passwords.hash(input.new, address);
  return inTransaction(store, async (transaction) => {
    // The password may have been changed meanwhile.
    if (!(await lockPassword(transaction, userId, checkedHash, 'update'))) throw wrongCurrentPassword();
    await updatePasswordHash(transaction, userId, passwordHash);
    await deleteSessionsOf(transaction, userId);
    const opened = await openSession(transaction, userId, input.origin);
    await recordChange(transaction, session, {
      action: 'account.password_changed',
      target: ['usr', userId],
      before: null,
      after: null,
    });
    await notifySessionsChanged(transaction);
    return opened;
  });
}

function wrongCurrentPassword(): ApiError {
  return new ApiError('validation_failed', 'The current password is wrong.', {
    fields: [{ pointer: '/current', message: 'is wrong' }],
  });
}

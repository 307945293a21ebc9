import { inTransaction, type Store } from '../../database/database.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Session } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { revokeAllTokens } from '../tokens/revoke-token.ts';
import { confirmPassword, guessInSession, wrongPassword } from './confirm-password.ts';
import type { PasswordHasher } from './passwords.ts';
import { deleteSessionsOf, lockPassword, updatePasswordHash } from './queries.ts';
import type { SessionOrigin } from './schema.ts';
import { type NewSession, openSession } from './sessions.ts';

/**
 * Sets a new password and replaces all sessions of the user by a new one: a copied cookie is invalid, and a
 * concurrent login with the old password gets no session. Access tokens stay valid, unless they are to be revoked.
 * @throws ApiError `validation_failed` if the current password is wrong, `too_many_logins` if it was often
 */
export async function changePassword(
  { passwords, ...store }: Store & { passwords: PasswordHasher },
  session: Session,
  input: { current: string; new: string; revokeTokens: boolean; address: string; origin: SessionOrigin },
): Promise<NewSession> {
  const userId = session.user.id;
  const { address } = input;
  const checkedHash = await confirmPassword({ passwords, ...store }, session, {
    password: input.current,
    pointer: '/current',
    address,
  });
  const passwordHash = await passwords.hash(input.new, guessInSession(session, address));
  return inTransaction(store, async (transaction) => {
    // First, since its lock comes before that of the user.
    if (input.revokeTokens) await revokeAllTokens(transaction, session);
    // The password may have been changed meanwhile.
    if (!(await lockPassword(transaction, userId, checkedHash, 'update'))) throw wrongPassword('/current');
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

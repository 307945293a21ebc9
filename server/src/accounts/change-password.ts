import { recordChange } from '../audit/queries.ts';
import type { Clock } from '../platform/clock.ts';
import { inTransaction, type Pool } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { toId } from '../platform/ids.ts';
import { hashPassword, verifyPassword } from '../platform/passwords.ts';
import {
  deleteOtherSessions,
  findUserByEmail,
  notifySessionsChanged,
  type Session,
  updatePasswordHash,
} from './queries.ts';

/**
 * Sets a new password and ends all other sessions of the user.
 * @throws ApiError `validation_failed` where the current password is wrong
 */
export async function changePassword(
  pool: Pool,
  clock: Clock,
  session: Session,
  input: { current: string; new: string },
): Promise<void> {
  const user = await findUserByEmail(pool, session.user.email);
  if (!(await verifyPassword(user?.passwordHash ?? null, input.current))) {
    throw new ApiError('validation_failed', 'The current password is wrong.', {
      fields: [{ pointer: '/current', message: 'is wrong' }],
    });
  }
  const passwordHash = await hashPassword(input.new);
  await inTransaction(pool, async (transaction) => {
    await updatePasswordHash(transaction, session.user.id, passwordHash);
    await deleteOtherSessions(transaction, session.user.id, session.id);
    await recordChange(
      transaction,
      clock,
      { organizationId: session.organizationId, userId: session.user.id },
      {
        action: 'account.password_changed',
        targetId: toId('usr', session.user.id),
        before: null,
        after: null,
      },
    );
    await notifySessionsChanged(transaction);
  });
}

import { inTransaction, type Queryable, type Store } from '../../database/database.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { forgiveGuesses } from '../accounts/guess-limits.ts';
import type { PasswordHasher } from '../accounts/passwords.ts';
import { deleteSessionsOf, lockUser, updateEmailVerified, updatePasswordHash } from '../accounts/queries.ts';
import { recordChange } from '../audit/record-change.ts';
import { findMembership } from '../organizations/queries.ts';
import { hashSecret, isWellFormedSecret } from '../secret-format.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { revokeAllTokens } from '../tokens/revoke-token.ts';
import { RECOVERY_ERRORS } from './errors.ts';
import { findValidRecoveryLink } from './queries.ts';
import type { RecoveryLinkRow } from './schema.ts';

/**
 * Returns the link of a token, if it is valid now.
 * @throws ApiError `invalid_recovery_link`
 */
export async function requireRecoveryLink(
  database: Queryable,
  token: string,
  nowMs: number,
): Promise<RecoveryLinkRow> {
  const link = isWellFormedSecret('tsn_rec_', token)
    ? await findValidRecoveryLink(database, hashSecret(token), new Date(nowMs))
    : null;
  if (link) return link;
  throw invalidLink();
}

export function invalidLink(): ApiError {
  return new ApiError(
    RECOVERY_ERRORS.invalid_recovery_link,
    'This link is not valid: it has been used or replaced, or has expired. Ask for a new one.',
  );
}

/**
 * Sets a new password by a link, and ends the link, all other links and all sessions of the user. No session starts:
 * the user logs in, with the second factor if there is one.
 * @returns the link that was used
 * @throws ApiError `invalid_recovery_link`
 */
export async function setPasswordByLink(
  { passwords, ...store }: Store & { passwords: PasswordHasher },
  input: { token: string; password: string; revokeTokens: boolean; address: string },
): Promise<RecoveryLinkRow> {
  // Before the password is hashed, which is expensive.
  await requireRecoveryLink(store.pool, input.token, confirmedTime(store.clock));
  const passwordHash = await passwords.hash(input.password, { address: input.address, trusted: null });
  return inTransaction(store, async (transaction) => {
    const found = await requireRecoveryLink(transaction, input.token, confirmedTime(transaction));
    const membership = await findMembership(transaction, found.userId);
    const actor = membership && { organizationId: membership.organizationId, user: { id: found.userId } };
    // First, since its lock comes before that of the user. Undone if the link is no longer valid.
    if (actor && input.revokeTokens) await revokeAllTokens(transaction, actor);
    await lockUser(transaction, found.userId);
    // It may have been used during the wait for the lock.
    const link = await requireRecoveryLink(transaction, input.token, confirmedTime(transaction));
    const { userId, email, origin } = link;
    await updatePasswordHash(transaction, userId, passwordHash);
    if (origin === 'mail') await updateEmailVerified(transaction, userId, new Date(transaction.now()));
    await deleteSessionsOf(transaction, userId);
    await forgiveGuesses(transaction, { email, address: input.address });
    if (actor) {
      await recordChange(transaction, actor, {
        action: 'account.password_reset',
        target: ['usr', userId],
        before: null,
        after: { linkFrom: origin },
      });
    }
    await notifySessionsChanged(transaction);
    return link;
  });
}

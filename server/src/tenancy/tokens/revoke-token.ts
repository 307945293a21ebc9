import { inTransaction, type Queryable, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toId, toUuid } from '../../platform/ids.ts';
import { insertAuditEntries } from '../audit/queries.ts';
import { type Actor, recordChange } from '../audit/record-change.ts';
import type { Session } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { deleteAllTokens, deleteToken, listTokens, lockMember } from './queries.ts';

/**
 * Revokes a token: no request that starts after the commit is accepted with it, in any process; its WebSockets are
 * closed.
 * @throws ApiError `not_found`
 */
export async function revokeToken(store: Store, session: Session, id: string): Promise<void> {
  const tokenId = toUuid('tok', id);
  await inTransaction(store, async (transaction) => {
    if (!tokenId || !(await revoke(transaction, session, tokenId)))
      throw new ApiError('not_found', 'Access token not found.');
    await notifySessionsChanged(transaction);
  });
}

/** Revokes the tokens of the actor, in a transaction that notifies of it. None is created until the transaction ends. */
export async function revokeAllTokens(transaction: Transaction, actor: Actor): Promise<void> {
  const { organizationId, user } = actor;
  await lockMember(transaction, organizationId, user.id);
  for (const { id } of await listTokens(transaction, organizationId, user.id))
    await revoke(transaction, actor, id);
}

/**
 * Revokes all tokens of a restored backup, of all organizations. The audit log names their users as the actors, since
 * it has no other name for the operator.
 * @returns the number of revoked tokens
 */
export async function revokeRestoredTokens(database: Queryable): Promise<number> {
  const tokens = await deleteAllTokens(database);
  const entries = tokens.flatMap(({ id, organizationId, userId, name, prefix, scopes, revokedAt }) =>
    organizationId === null || userId === null
      ? []
      : [
          {
            id: newUuid(revokedAt.getTime()),
            organizationId,
            userId,
            action: 'token.revoked_by_restore',
            targetId: toId('tok', id),
            before: { name, prefix, scopes },
            after: null,
            createdAt: revokedAt,
          },
        ],
  );
  await insertAuditEntries(database, entries);
  return tokens.length;
}

/** @returns true if there was one */
async function revoke(transaction: Transaction, actor: Actor, tokenId: string): Promise<boolean> {
  const token = await deleteToken(transaction, actor.organizationId, actor.user.id, tokenId);
  if (!token) return false;
  await recordChange(transaction, actor, {
    action: 'token.revoked',
    target: ['tok', token.id],
    before: { name: token.name, prefix: token.prefix, scopes: token.scopes },
    after: null,
  });
  return true;
}

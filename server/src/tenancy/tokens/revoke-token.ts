import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { type Actor, recordChange } from '../audit/record-change.ts';
import type { Session } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { deleteToken, listTokens, lockMember } from './queries.ts';

/**
 * No request that starts after the commit is accepted with the token, in any process; its WebSockets are closed.
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

/** @returns whether there was one */
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

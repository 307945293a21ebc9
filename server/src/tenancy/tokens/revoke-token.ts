import { inTransaction, type Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Session } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { deleteToken } from './queries.ts';

/**
 * No request that starts after the commit is accepted with the token, in any process; its WebSockets are closed.
 * @throws ApiError `not_found`
 */
export async function revokeToken(store: Store, session: Session, id: string): Promise<void> {
  const { organizationId, user } = session;
  const tokenId = toUuid('tok', id);
  await inTransaction(store, async (transaction) => {
    const token = tokenId && (await deleteToken(transaction, organizationId, user.id, tokenId));
    if (!token) throw new ApiError('not_found', 'Access token not found.');
    await recordChange(transaction, session, {
      action: 'token.revoked',
      target: ['tok', token.id],
      before: { name: token.name, prefix: token.prefix, scopes: token.scopes },
      after: null,
    });
    await notifySessionsChanged(transaction);
  });
}

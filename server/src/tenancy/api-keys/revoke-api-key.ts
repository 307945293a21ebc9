import { inTransaction, type Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { toId, toUuid } from '../../platform/ids.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Session } from '../session.ts';
import { deleteApiKey } from './queries.ts';

/**
 * Revokes a key: no request that starts after the commit is accepted with it, in any process.
 * @throws ApiError `not_found`
 */
export async function revokeApiKey(store: Store, session: Session, id: string): Promise<void> {
  const keyId = toUuid('key', id);
  await inTransaction(store, async (transaction) => {
    const revokedAt = new Date(transaction.now());
    const key = keyId && (await deleteApiKey(transaction, session.organizationId, keyId, revokedAt));
    if (!key) throw new ApiError('not_found', 'API key not found.');
    await recordChange(transaction, session, {
      action: 'api_key.revoked',
      target: ['key', key.id],
      before: { name: key.name, prefix: key.prefix, projectId: toId('proj', key.projectId) },
      after: null,
    });
  });
}

import { createHash } from 'node:crypto';
import { inTransaction, type Queryable, type Store } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { newUuid, toId, toUuid } from '../platform/ids.ts';
import { recordChange } from '../tenancy/audit/record-change.ts';
import { lockOrganization } from '../tenancy/organizations/queries.ts';
import { shareProject } from '../tenancy/projects/lock-queries.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import type { Session } from '../tenancy/session.ts';
import { MAX_UNFINISHED_ERASURES } from './limits.ts';
import { countUnfinishedErasures, findErasure, insertErasure } from './queries.ts';
import { type ErasureRow, LIMIT_SENTENCE, type NewErasure } from './schema.ts';

/**
 * Requests an erasure, which a worker carries out. The audit log names it without the value.
 * @throws ApiError `not_found`, `limit_reached`
 */
export async function requestErasure(
  store: Store,
  session: Session,
  { projectId = null, key = null, value }: NewErasure,
): Promise<ErasureRow> {
  const { organizationId } = session;
  return inTransaction(store, async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const project =
      projectId === null ? null : await requireProject(transaction, organizationId, projectId, shareProject);
    if ((await countUnfinishedErasures(transaction, organizationId)) >= MAX_UNFINISHED_ERASURES)
      throw new ApiError('limit_reached', LIMIT_SENTENCE);
    const now = transaction.now();
    const id = newUuid(now);
    const valueHash = createHash('sha256')
      .update(`${toId('ers', id)}:${value}`)
      .digest();
    await insertErasure(transaction, {
      id,
      organizationId,
      projectId: project?.id ?? null,
      key,
      value,
      valueHash,
      createdBy: session.user.id,
      createdAt: new Date(now),
    });
    await recordChange(transaction, session, {
      action: 'erasure.requested',
      target: ['ers', id],
      before: null,
      after: { projectId: project && toId('proj', project.id), key, valueHash: valueHash.toString('hex') },
    });
    return requireErasure(transaction, organizationId, toId('ers', id));
  });
}

/** @throws ApiError `not_found`, also for an erasure of another organization */
export async function requireErasure(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<ErasureRow> {
  const erasureId = toUuid('ers', id);
  const erasure = erasureId && (await findErasure(database, organizationId, erasureId));
  if (!erasure) throw new ApiError('not_found', 'Erasure not found.');
  return erasure;
}

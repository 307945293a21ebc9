import type { Session } from '../accounts/queries.ts';
import { deleteApiKeysOfProject } from '../api-keys/queries.ts';
import { recordChange } from '../audit/queries.ts';
import { inTransaction, type Store } from '../platform/database.ts';
import { toId } from '../platform/ids.ts';
import { markProjectDeleted, updateProject } from './queries.ts';
import { requireProject } from './require-project.ts';
import type { Environment, ProjectRow } from './schema.ts';

/** @throws ApiError `not_found` */
export async function changeProject(
  store: Store,
  session: Session,
  id: string,
  patch: { name?: string; environment?: Environment },
): Promise<ProjectRow> {
  return inTransaction(store, async (transaction) => {
    const before = await requireProject(transaction, session.organizationId, id, 'change');
    const after = {
      ...before,
      name: patch.name?.trim() ?? before.name,
      environment: patch.environment ?? before.environment,
    };
    if (after.name === before.name && after.environment === before.environment) return before;
    await updateProject(transaction, session.organizationId, after);
    await recordChange(
      transaction,
      { organizationId: session.organizationId, userId: session.user.id },
      {
        action: 'project.changed',
        targetId: toId('proj', before.id),
        before: { name: before.name, environment: before.environment },
        after: { name: after.name, environment: after.environment },
      },
    );
    return after;
  });
}

/**
 * From its commit on nothing of the project can be read or used, and nothing new of it appears: whoever
 * writes something that belongs to it holds its row, which this waits for. The space is freed later.
 * @throws ApiError `not_found`
 */
export async function removeProject(store: Store, session: Session, id: string): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const project = await requireProject(transaction, session.organizationId, id, 'change');
    await deleteApiKeysOfProject(transaction, project.id);
    await markProjectDeleted(transaction, session.organizationId, project.id, new Date(transaction.now()));
    await recordChange(
      transaction,
      { organizationId: session.organizationId, userId: session.user.id },
      {
        action: 'project.deleted',
        targetId: toId('proj', project.id),
        before: { name: project.name, environment: project.environment },
        after: null,
      },
    );
  });
}

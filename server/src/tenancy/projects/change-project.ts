import { inTransaction, type Store } from '../../database/database.ts';
import { changedFields, pick } from '../audit/changed-fields.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Session } from '../session.ts';
import { lockProject } from './lock-queries.ts';
import { deleteKeysOfProject, updateProject, updateProjectDeleted } from './queries.ts';
import { requireProject } from './require-project.ts';
import type { Environment, ProjectRow } from './schema.ts';

/** What the audit log shows of a project. */
const FIELDS = ['name', 'environment'] as const;

/** @throws ApiError `not_found` */
export async function changeProject(
  store: Store,
  session: Session,
  id: string,
  patch: { name?: string; environment?: Environment },
): Promise<ProjectRow> {
  return inTransaction(store, async (transaction) => {
    const before = await requireProject(transaction, session.organizationId, id, lockProject);
    const after = {
      ...before,
      name: patch.name?.trim() ?? before.name,
      environment: patch.environment ?? before.environment,
    };
    if (changedFields(before, after, FIELDS).length === 0) return before;
    await updateProject(transaction, session.organizationId, after);
    await recordChange(transaction, session, {
      action: 'project.changed',
      target: ['proj', before.id],
      before: pick(before, FIELDS),
      after: pick(after, FIELDS),
    });
    return after;
  });
}

/**
 * From the commit on no data of the project can be read or used, and none is added: every writer of its data shares its
 * row, and this waits for them. The data is purged later.
 * @throws ApiError `not_found`
 */
export async function removeProject(store: Store, session: Session, id: string): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const project = await requireProject(transaction, session.organizationId, id, lockProject);
    await deleteKeysOfProject(transaction, project.id);
    await updateProjectDeleted(transaction, session.organizationId, project.id, new Date(transaction.now()));
    await recordChange(transaction, session, {
      action: 'project.deleted',
      target: ['proj', project.id],
      before: pick(project, FIELDS),
      after: null,
    });
  });
}

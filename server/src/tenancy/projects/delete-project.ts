import { inTransaction, type Store } from '../../database/database.ts';
import { pick } from '../audit/changed-fields.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Session } from '../session.ts';
import { AUDITED_FIELDS } from './change-project.ts';
import { lockProject } from './lock-queries.ts';
import { deleteKeysOfProject, insertArchiveDeletion, updateProjectDeleted } from './queries.ts';
import { requireProject } from './require-project.ts';

/**
 * Deletes a project. From the commit on none of its data can be read or used, and none is added: every writer of its
 * data holds a shared lock on its row, and this waits for them. The data is purged later.
 * @throws ApiError `not_found`
 */
export async function deleteProject(store: Store, session: Session, id: string): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const project = await requireProject(transaction, session.organizationId, id, lockProject);
    await deleteKeysOfProject(transaction, project.id);
    await updateProjectDeleted(transaction, session.organizationId, project.id, new Date(transaction.now()));
    await insertArchiveDeletion(transaction, session.organizationId, project.id);
    await recordChange(transaction, session, {
      action: 'project.deleted',
      target: ['proj', project.id],
      before: pick(project, AUDITED_FIELDS),
      after: null,
    });
  });
}

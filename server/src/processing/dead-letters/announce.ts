import type { Transaction } from '../../database/database.ts';
import { newUuid } from '../../platform/ids.ts';
import { deleteProjectNotices, insertNotice } from '../../tenancy/organizations/notice-queries.ts';
import { findOrganizationName, listOwnerIds } from '../../tenancy/organizations/queries.ts';
import type { ProjectRow } from '../../tenancy/projects/schema.ts';

/** Gives OWNERs one notice about the first dead letter of a project. Called again once it had none. */
export async function announceDeadLetters(
  transaction: Transaction,
  { id, name, organizationId }: Pick<ProjectRow, 'id' | 'name' | 'organizationId'>,
): Promise<void> {
  await deleteProjectNotices(transaction, organizationId, { projectId: id, kind: 'dead_letters' });
  const organizationName = await findOrganizationName(transaction, organizationId);
  for (const userId of await listOwnerIds(transaction, organizationId))
    await insertNotice(transaction, userId, {
      id: newUuid(transaction.now()),
      kind: 'dead_letters',
      organizationId,
      organizationName,
      actorId: null,
      actorName: null,
      projectId: id,
      projectName: name,
      environment: null,
      createdAt: new Date(transaction.now()),
    });
}

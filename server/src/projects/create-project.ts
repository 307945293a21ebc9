import type { Session } from '../accounts/queries.ts';
import { createApiKey } from '../api-keys/create-api-key.ts';
import { recordChange } from '../audit/queries.ts';
import { holdOrganization } from '../organizations/queries.ts';
import type { Clock } from '../platform/clock.ts';
import { inTransaction, type Pool } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { newUuid, toId } from '../platform/ids.ts';
import { insertProject } from './queries.ts';
import type { Environment, ProjectRow } from './schema.ts';

/** Makes a project and its first key, named `Default`; the raw key exists only in what this returns. */
export async function createProject(
  pool: Pool,
  clock: Clock,
  { organizationId, user }: Session,
  input: { name: string; environment: Environment },
): Promise<{ project: ProjectRow; rawKey: string }> {
  const now = clock.now();
  const project: ProjectRow = {
    id: newUuid(now),
    organizationId,
    name: input.name.trim(),
    environment: input.environment,
    createdAt: new Date(now),
  };
  return inTransaction(pool, async (transaction) => {
    if (!(await holdOrganization(transaction, organizationId))) {
      throw new ApiError('unauthenticated', 'The organization was removed in this moment.');
    }
    await insertProject(transaction, project);
    const { row, rawKey } = await createApiKey(transaction, now, { projectId: project.id, name: 'Default' });
    await recordChange(
      transaction,
      clock,
      { organizationId, userId: user.id },
      {
        action: 'project.created',
        targetId: toId('proj', project.id),
        before: null,
        after: { name: project.name, environment: project.environment, apiKey: toId('key', row.id) },
      },
    );
    return { project, rawKey };
  });
}

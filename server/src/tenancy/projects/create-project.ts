import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toId } from '../../platform/ids.ts';
import { pick } from '../audit/changed-fields.ts';
import { recordChange } from '../audit/record-change.ts';
import type { MakerToken } from '../maker-token.ts';
import { lockOrganization } from '../organizations/queries.ts';
import type { Session } from '../session.ts';
import { deriveGroupPrefix } from './group-prefix.ts';
import { insertProject, listProjects } from './queries.ts';
import type { Environment, ProjectRow } from './schema.ts';

/** Maximum projects of an organization: detection holds memory for each. */
const MAX_PROJECTS = 100;

export interface ProjectDependencies extends Store {
  /** Issues the first key of a project, in the transaction that creates the project. */
  createDefaultKey: (
    transaction: Transaction,
    key: { projectId: string; name: string; madeByToken: MakerToken | null },
  ) => Promise<{ row: { id: string }; rawKey: string }>;
}

/**
 * Creates a project and its first key, named `Default`. The raw key is returned and stored nowhere.
 * @throws ApiError `limit_reached`
 */
export async function createProject(
  { createDefaultKey, ...store }: ProjectDependencies,
  session: Session,
  input: { name: string; environment: Environment },
): Promise<{ project: ProjectRow; rawKey: string }> {
  const { organizationId } = session;
  return inTransaction(store, async (transaction) => {
    if (!(await lockOrganization(transaction, organizationId))) {
      throw new ApiError('unauthenticated', 'This organization has just been removed.');
    }
    const projects = await listProjects(transaction, organizationId);
    if (projects.length >= MAX_PROJECTS) {
      throw new ApiError('limit_reached', `An organization can have up to ${MAX_PROJECTS} projects.`);
    }
    const now = transaction.now();
    const project = await insertProject(transaction, {
      id: newUuid(now),
      organizationId,
      name: input.name.trim(),
      environment: input.environment,
      groupPrefix: deriveGroupPrefix(input, projects),
      createdAt: new Date(now),
    });
    const { row, rawKey } = await createDefaultKey(transaction, {
      projectId: project.id,
      name: 'Default',
      madeByToken: session.token,
    });
    await recordChange(transaction, session, {
      action: 'project.created',
      target: ['proj', project.id],
      before: null,
      after: { ...pick(project, ['name', 'environment', 'groupPrefix']), apiKey: toId('key', row.id) },
    });
    return { project, rawKey };
  });
}

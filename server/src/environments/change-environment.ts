import { inTransaction, type Store } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { recordChange } from '../tenancy/audit/record-change.ts';
import { deleteEnvironmentNotices } from '../tenancy/organizations/notice-queries.ts';
import { lockProject } from '../tenancy/projects/lock-queries.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import type { Session } from '../tenancy/session.ts';
import { describeEnvironments } from './describe-environments.ts';
import { foldEnvironment } from './fold-environment.ts';
import { upsertWatched } from './queries.ts';
import type { ProjectEnvironment } from './schema.ts';

/** @throws ApiError `not_found` for a project or an environment that does not exist */
export async function changeEnvironment(
  store: Store,
  session: Session,
  { id, name }: { id: string; name: string },
  { isWatched }: { isWatched: boolean },
): Promise<ProjectEnvironment> {
  return inTransaction(store, async (transaction) => {
    const { organizationId } = session;
    const project = await requireProject(transaction, organizationId, id, lockProject);
    const folded = foldEnvironment(name);
    const environments = await describeEnvironments(
      transaction,
      organizationId,
      project.id,
      transaction.now(),
    );
    const before = environments.find((environment) => environment.name === folded);
    if (!before) throw new ApiError('not_found', 'The project has no events of this environment.');
    if (before.isWatched === isWatched) return before;
    const environment = { projectId: project.id, name: before.name };
    await upsertWatched(transaction, organizationId, { ...environment, isWatched });
    await deleteEnvironmentNotices(transaction, organizationId, environment);
    await recordChange(transaction, session, {
      action: 'project.environment_changed',
      target: ['proj', project.id],
      before: { environment: before.name, isWatched: before.isWatched },
      after: { environment: before.name, isWatched },
    });
    return { ...before, isWatched };
  });
}

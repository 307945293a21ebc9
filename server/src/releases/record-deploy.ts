import { inTransaction, type Store } from '../database/database.ts';
import { insertEnvironments } from '../environments/queries.ts';
import { newUuid } from '../platform/ids.ts';
import { recordChange } from '../tenancy/audit/record-change.ts';
import { shareProject } from '../tenancy/projects/lock-queries.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import type { Session } from '../tenancy/session.ts';
import { findDeploy, insertDeploy, upsertDeployedRelease } from './queries.ts';
import type { ReportedDeploy } from './read-deploy.ts';
import type { DeployRow, NewDeployRow } from './schema.ts';

/**
 * Records a deploy that a person reports.
 * @returns the deploy, and whether it is new: a repeat by release and environment is the first one
 * @throws ApiError `not_found`
 */
export async function recordDeploy(
  store: Store,
  session: Session,
  projectPublicId: string,
  { release, environment: named, atMs }: ReportedDeploy,
): Promise<{ deploy: DeployRow; isNew: boolean }> {
  return inTransaction(store, async (transaction) => {
    const project = await requireProject(transaction, session.organizationId, projectPublicId, shareProject);
    const environment = named ?? project.environment;
    await insertEnvironments(transaction, [{ projectId: project.id, name: environment }]);
    const now = transaction.now();
    const reported: NewDeployRow = {
      id: newUuid(now),
      projectId: project.id,
      release,
      environment,
      deployedAt: new Date(atMs),
      userId: session.user.id,
      createdAt: new Date(now),
    };
    // The release first, as in the statement that stores events: two transactions never wait for each other.
    await upsertDeployedRelease(transaction, reported);
    const isNew = await insertDeploy(transaction, reported);
    const deploy = await findDeploy(transaction, project.id, release, environment);
    if (!deploy) throw new Error('A deploy disappeared while it was read.');
    if (!isNew) return { deploy, isNew };
    await recordChange(transaction, session, {
      action: 'deploy.recorded',
      target: ['dpl', deploy.id],
      before: null,
      after: {
        projectId: projectPublicId,
        release,
        environment,
        deployedAt: deploy.deployedAt.toISOString(),
      },
    });
    return { deploy, isNew };
  });
}

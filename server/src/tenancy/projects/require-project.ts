import type { Queryable } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { findProject } from './queries.ts';
import type { ProjectRow } from './schema.ts';

type FindProject = (
  database: Queryable,
  organizationId: string,
  projectId: string,
) => Promise<ProjectRow | null>;

/**
 * Returns the organization's project with this public id.
 * @param find within a transaction one of the locks in `lock-queries.ts`
 * @throws ApiError `not_found`, also for a project of another organization: the answers do not differ
 */
export async function requireProject(
  database: Queryable,
  organizationId: string,
  id: string,
  find: FindProject = findProject,
): Promise<ProjectRow> {
  const projectId = toUuid('proj', id);
  const project = projectId && (await find(database, organizationId, projectId));
  if (!project) throw new ApiError('not_found', 'Project not found.');
  return project;
}

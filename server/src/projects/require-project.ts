import type { Queryable } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { toUuid } from '../platform/ids.ts';
import { findProject } from './queries.ts';
import type { ProjectRow } from './schema.ts';

const LOCKS = { none: 'none', lock: 'share', count: 'alone', change: 'update' } as const;

/**
 * The organization's project with this public id.
 * @param lock within a transaction. `lock`: the project cannot be deleted before the transaction ends; `count`: nor
 * does anybody else count what it has; `change`: nobody else changes it either, and nothing is written that belongs to it
 * @throws ApiError `not_found`, also for a project of somebody else: the two are never told apart
 */
export async function requireProject(
  database: Queryable,
  organizationId: string,
  id: string,
  lock?: 'lock' | 'count' | 'change',
): Promise<ProjectRow> {
  const projectId = toUuid('proj', id);
  const project =
    projectId && (await findProject(database, organizationId, projectId, LOCKS[lock ?? 'none']));
  if (!project) throw new ApiError('not_found', 'There is no such project.');
  return project;
}

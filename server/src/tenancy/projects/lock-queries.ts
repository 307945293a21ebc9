import type { Queryable } from '../../database/database.ts';
import { PROJECT_COLUMNS } from './queries.ts';
import type { ProjectRow } from './schema.ts';

/*
 * The three ways in which a transaction locks a project's row until it ends, from the weakest to the strongest. The
 * one other place with such a lock is the statement of `processing/queries.ts`, for all projects of its batches. A
 * transaction that locks several projects does so in the order of their ids.
 */

/**
 * For writing data of the project, any number of transactions at once: the project is not deleted meanwhile.
 * @param organizationId null: the project comes from a checked source (an accepted event)
 * @returns null if it is deleted
 */
export function shareProject(
  transaction: Queryable,
  organizationId: string | null,
  projectId: string,
): Promise<ProjectRow | null> {
  return lock(transaction, organizationId, projectId, 'FOR KEY SHARE');
}

/**
 * For counting data of the project, one transaction at a time; shared locks are still granted.
 * @param organizationId null: the project comes from a checked source (an API key)
 */
export function lockProjectForCount(
  transaction: Queryable,
  organizationId: string | null,
  projectId: string,
): Promise<ProjectRow | null> {
  return lock(transaction, organizationId, projectId, 'FOR NO KEY UPDATE');
}

/** For changing or deleting the project: no other transaction changes it or writes data that belongs to it. */
export function lockProject(
  transaction: Queryable,
  organizationId: string,
  projectId: string,
): Promise<ProjectRow | null> {
  return lock(transaction, organizationId, projectId, 'FOR UPDATE');
}

async function lock(
  transaction: Queryable,
  organizationId: string | null,
  projectId: string,
  strength: 'FOR KEY SHARE' | 'FOR NO KEY UPDATE' | 'FOR UPDATE',
): Promise<ProjectRow | null> {
  const { rows } = await transaction.query<ProjectRow>(
    `SELECT ${PROJECT_COLUMNS} FROM projects
      WHERE id = $2 AND ($1::uuid IS NULL OR organization_id = $1) AND deleted_at IS NULL ${strength}`,
    [organizationId, projectId],
  );
  return rows[0] ?? null;
}

/**
 * Finds the organization without a lock. @param projectId project that was checked before; null: it was deleted since
 */
export async function findOrganizationId(database: Queryable, projectId: string): Promise<string | null> {
  const { rows } = await database.query<{ organizationId: string }>(
    'SELECT organization_id AS "organizationId" FROM projects WHERE id = $1 AND deleted_at IS NULL',
    [projectId],
  );
  return rows[0]?.organizationId ?? null;
}

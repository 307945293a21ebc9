import type { Queryable } from '../database/database.ts';

/** Maximum groups listed at a time. */
export const MAX_ASSIGNED_GROUPS = 1_000;

/** Groups of an organization that a user is assigned to, merged ones included, sorted by id. */
export async function listAssignedGroups(
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM (
        SELECT id FROM groups
        WHERE project_id IN (SELECT id FROM projects WHERE organization_id = $1) AND assignee_id = $2
        LIMIT ${MAX_ASSIGNED_GROUPS}
      ) AS assigned ORDER BY id`,
    [organizationId, userId],
  );
  return rows.map(({ id }) => id);
}

import type { Queryable } from '../../database/database.ts';

/** True if an event of a project is stored. */
export async function isStored(
  database: Queryable,
  organizationId: string,
  projectId: string,
  eventId: string,
): Promise<boolean> {
  const { rows } = await database.query(
    'SELECT FROM events WHERE organization_id = $1 AND id = $3 AND project_id = $2',
    [organizationId, projectId, eventId],
  );
  return rows.length > 0;
}

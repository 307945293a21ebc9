import type { Queryable } from '../../database/database.ts';

/** True if an event of a project is stored. */
export async function isStored(database: Queryable, projectId: string, eventId: string): Promise<boolean> {
  const { rows } = await database.query('SELECT FROM events WHERE id = $2 AND project_id = $1', [
    projectId,
    eventId,
  ]);
  return rows.length > 0;
}

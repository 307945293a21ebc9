import type { Queryable } from '../../database/database.ts';

/**
 * Removes at most `limit` events of a deleted project, the oldest first.
 * @returns the number of events that were there: fewer than `limit` are the last ones, even if another worker has
 * removed some of them meanwhile
 */
export async function deleteEventsOfProject(
  database: Queryable,
  projectId: string,
  limit: number,
): Promise<number> {
  // By id: a place in the table is none in its partitions, and would be looked for in each of them. The bounds leave out the
  // partitions of other times.
  const { rows } = await database.query<{ found: number }>(
    `WITH found AS MATERIALIZED (
        SELECT id FROM events WHERE project_id = $1 ORDER BY id LIMIT $2
      ), removed AS (
        DELETE FROM events WHERE project_id = $1 AND id = ANY (ARRAY(SELECT id FROM found))
          AND id >= (SELECT id FROM found ORDER BY id LIMIT 1) AND id <= (SELECT id FROM found ORDER BY id DESC LIMIT 1)
      )
      SELECT count(*) AS found FROM found`,
    [projectId, limit],
  );
  return rows[0]?.found ?? 0;
}

import type { Queryable } from '../database/database.ts';
import { deleteChunk } from '../database/retention-queries.ts';

/** Maximum releases of a project. */
const MAX_RELEASES = 10_000;

/**
 * Deletes at most `limit` releases of projects that have too many, those seen longest ago; not one that a resolved
 * group is compared with. @returns how many
 */
export async function deleteSurplusReleases(database: Queryable, limit: number): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM releases WHERE (project_id, version) IN (
        SELECT old.project_id, old.version
        FROM (SELECT project_id AS id FROM releases GROUP BY 1 HAVING count(*) > ${MAX_RELEASES}) AS project
        CROSS JOIN LATERAL (
          SELECT project_id, version FROM (
            SELECT project_id, version, last_seen, deployed_at, number FROM releases WHERE project_id = project.id
            ORDER BY coalesce(last_seen, deployed_at) DESC, number DESC OFFSET ${MAX_RELEASES}
          ) AS surplus
          WHERE version NOT IN (
            SELECT resolved_release FROM groups
            WHERE project_id = project.id AND state = 'resolved' AND resolved_release IS NOT NULL)
          ORDER BY coalesce(last_seen, deployed_at), number LIMIT $1
        ) AS old LIMIT $1)`,
    [limit],
  );
  return rowCount ?? 0;
}

/** Deletes at most `limit` releases whose last event (or deploy) was before a time. @returns how many */
export function deleteReleasesBefore(database: Queryable, before: Date, limit: number): Promise<number> {
  return deleteChunk(database, ['releases', 'coalesce(last_seen, deployed_at) < $1'], before, limit);
}

export function deleteDeploysBefore(database: Queryable, before: Date, limit: number): Promise<number> {
  return deleteChunk(database, ['deploys', 'deployed_at < $1'], before, limit);
}

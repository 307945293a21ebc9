import type { Queryable } from '../database/database.ts';

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
export async function deleteReleasesBefore(
  database: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM releases WHERE ctid IN (
        SELECT ctid FROM releases WHERE coalesce(last_seen, deployed_at) < $1 LIMIT $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}

export async function deleteDeploysBefore(database: Queryable, before: Date, limit: number): Promise<number> {
  const { rowCount } = await database.query(
    'DELETE FROM deploys WHERE ctid IN (SELECT ctid FROM deploys WHERE deployed_at < $1 LIMIT $2)',
    [before, limit],
  );
  return rowCount ?? 0;
}

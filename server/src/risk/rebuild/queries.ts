import type { KnownError } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';

/** The errors of a project that began before a time and were seen last, the oldest first. */
export async function listKnownErrors(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { before, limit }: { before: Date; limit: number },
): Promise<KnownError[]> {
  const { rows } = await database.query<KnownError>(
    `SELECT f.fingerprint, (extract(epoch FROM g.last_seen) * 1000)::float8 AS "atMs"
      FROM (SELECT id, last_seen FROM groups
          WHERE organization_id = $1 AND project_id = $2 AND first_seen < $3 ORDER BY last_seen DESC LIMIT $4) AS g
        JOIN group_fingerprints f ON f.project_id = $2 AND f.group_id = g.id
      ORDER BY g.last_seen, f.fingerprint`,
    [organizationId, projectId, before, limit],
  );
  return rows;
}

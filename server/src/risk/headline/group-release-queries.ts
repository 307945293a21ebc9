import type { Queryable } from '../../database/database.ts';
import { mergedGroupIds } from '../../events/group-queries.ts';

const MAX_RELEASES = 6;

/** The releases that ever had events of a group, the newest first. */
export async function listReleasesOfGroup(
  database: Queryable,
  organizationId: string,
  groupId: string,
): Promise<string[]> {
  const { rows } = await database.query<{ version: string }>(
    `SELECT version FROM releases
      WHERE (project_id, version) IN (
        SELECT project_id, release FROM group_releases
        WHERE group_id = ANY (${mergedGroupIds('ARRAY[$2::uuid]')}))
      ORDER BY number DESC LIMIT ${MAX_RELEASES}`,
    [organizationId, groupId],
  );
  return rows.map(({ version }) => version);
}

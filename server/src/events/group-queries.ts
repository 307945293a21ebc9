import type { Queryable } from '../database/database.ts';

/** Fingerprint of the group with all events beyond the limit on new groups: no real one is so short. */
export const MORE_FINGERPRINT = 'more';

/**
 * The groups of events, by project and fingerprint with a space between: the one that the fingerprint leads to, else
 * the one for all further events.
 */
export async function listGroupsOfEvents(
  database: Queryable,
  organizationId: string,
  events: readonly { projectId: string; fingerprint: string }[],
): Promise<Map<string, string>> {
  if (events.length === 0) return new Map();
  const { rows } = await database.query<{ projectId: string; fingerprint: string; groupId: string }>(
    `SELECT pair.project_id AS "projectId", pair.fingerprint, coalesce(g.merged_into, g.id) AS "groupId"
      FROM (SELECT DISTINCT * FROM unnest($2::uuid[], $3::text[]) AS pair (project_id, fingerprint)) AS pair
      LEFT JOIN group_fingerprints AS own USING (project_id, fingerprint)
      LEFT JOIN (SELECT project_id, group_id FROM group_fingerprints WHERE fingerprint = '${MORE_FINGERPRINT}') AS more
        USING (project_id)
      JOIN groups AS g ON g.id = coalesce(own.group_id, more.group_id) AND g.organization_id = $1`,
    [organizationId, events.map(({ projectId }) => projectId), events.map(({ fingerprint }) => fingerprint)],
  );
  return new Map(rows.map(({ projectId, fingerprint, groupId }) => [`${projectId} ${fingerprint}`, groupId]));
}

/**
 * SQL of the ids of all groups that are merged with those of an array: each stands for the group that it was merged
 * into, with all others merged into that one. For an organization in `$1`.
 * @param groupIds array of UUIDs, such as `$2`
 */
export const mergedGroupIds = (groupIds: string) => `ARRAY(
  SELECT member.id FROM groups AS named CROSS JOIN LATERAL (
    SELECT coalesce(named.merged_into, named.id) AS id
    UNION ALL SELECT id FROM groups WHERE merged_into = coalesce(named.merged_into, named.id)
  ) AS member WHERE named.organization_id = $1 AND named.id = ANY (${groupIds}))`;

/**
 * Conditions on the events of a group: their project and their fingerprints; null: all that lead to no group of their
 * own.
 */
export interface GroupFingerprints {
  projectId: string;
  fingerprints: string[] | null;
}

/**
 * Finds the fingerprints of a group; for a merged one, those of the group that has its events now. Null: the
 * organization has no such group.
 */
export async function findGroupFingerprints(
  database: Queryable,
  organizationId: string,
  groupId: string,
): Promise<GroupFingerprints | null> {
  const { rows } = await database.query<GroupFingerprints>(
    `SELECT head.project_id AS "projectId", CASE WHEN head.number > 0 THEN ARRAY(
        SELECT fingerprint FROM group_fingerprints
        WHERE group_id = ANY (${mergedGroupIds('ARRAY[$2::uuid]')}) ORDER BY fingerprint) END AS fingerprints
      FROM groups AS g JOIN groups AS head ON head.id = coalesce(g.merged_into, g.id)
      WHERE g.organization_id = $1 AND g.id = $2`,
    [organizationId, groupId],
  );
  return rows[0] ?? null;
}

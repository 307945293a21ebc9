import type { Queryable } from '../../database/database.ts';

interface CountedTime {
  groupId: string;
  startMs: number;
  count: number;
}

/** Counts of groups and of those merged into them from a time on, of each bucket that has any. */
export async function countByTime(
  database: Queryable,
  organizationId: string,
  groupIds: readonly string[],
  { firstMs, widthMs }: { firstMs: number; widthMs: number },
): Promise<CountedTime[]> {
  const { rows } = await database.query<CountedTime>(
    `WITH family AS MATERIALIZED (
        SELECT id, id AS head FROM groups WHERE organization_id = $1 AND id = ANY ($2::uuid[])
        UNION ALL
        SELECT id, merged_into FROM groups WHERE organization_id = $1 AND merged_into = ANY ($2::uuid[])
      )
      SELECT head AS "groupId", (floor(date_part('epoch', at) * 1000 / $4) * $4)::bigint AS "startMs",
        sum(count)::bigint AS count
      FROM family CROSS JOIN LATERAL (
        SELECT minute AS at, info + warn + error + critical AS count FROM group_minutes
        WHERE group_id = family.id AND minute >= $3
        UNION ALL
        SELECT hour, info + warn + error + critical FROM group_hours WHERE group_id = family.id AND hour >= $3
      ) AS counted GROUP BY 1, 2`,
    [organizationId, groupIds, new Date(firstMs), widthMs],
  );
  return rows;
}

export interface MergedRow {
  id: string;
  number: number;
  fingerprint: string;
  title: string;
  count: number;
}

export async function listMerged(
  database: Queryable,
  organizationId: string,
  groupId: string,
): Promise<MergedRow[]> {
  const { rows } = await database.query<MergedRow>(
    `SELECT id, number, fingerprint, title, count FROM groups
      WHERE organization_id = $1 AND merged_into = $2 ORDER BY number`,
    [organizationId, groupId],
  );
  return rows;
}

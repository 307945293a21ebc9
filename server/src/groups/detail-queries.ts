import type { Queryable } from '../database/database.ts';

/** The group itself and those that were merged into it. */
const FAMILY = '(SELECT id FROM groups WHERE organization_id = $1 AND (id = $2 OR merged_into = $2))';

/** Counts from a time on, by the beginning of each bucket in milliseconds. */
export async function countByTime(
  database: Queryable,
  organizationId: string,
  groupId: string,
  { firstMs, widthMs }: { firstMs: number; widthMs: number },
): Promise<Map<number, number>> {
  const { rows } = await database.query<{ startMs: number; count: number }>(
    `SELECT (floor(date_part('epoch', at) * 1000 / $4) * $4)::bigint AS "startMs", sum(count)::bigint AS count
      FROM (
        SELECT minute AS at, info + warn + error + critical AS count FROM group_minutes
        WHERE group_id IN ${FAMILY} AND minute >= $3
        UNION ALL
        SELECT hour, info + warn + error + critical FROM group_hours WHERE group_id IN ${FAMILY} AND hour >= $3
      ) AS counted GROUP BY 1`,
    [organizationId, groupId, new Date(firstMs), widthMs],
  );
  return new Map(rows.map(({ startMs, count }) => [startMs, count]));
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

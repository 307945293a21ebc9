import type { Queryable } from '../../database/database.ts';
import { bind } from '../where.ts';
import { countsOfGroups } from './group-counts.ts';
import { countOf, edgeCounts, type GroupCountsRequest } from './largest-group-queries.ts';

/**
 * The groups of the `place` largest fingerprints among these, which include all that count for them: by their exact
 * counts, of whole hours if these are copied. So the minutes are read for these groups alone.
 * @returns also the count of the last of these fingerprints; 0: there are fewer
 */
export async function listGroupsOfLargest(
  database: Queryable,
  request: GroupCountsRequest,
  groupIds: readonly string[],
  place: number,
): Promise<{ groupIds: string[]; least: number }> {
  const values: unknown[] = [request.projectIds, groupIds];
  const parts = [
    ...countsOfGroups(request, '$2::uuid[]', values).map(
      ({ rows }) => `SELECT group_id AS id, sum(${countOf(request)}) AS count FROM (${rows}) AS h GROUP BY 1`,
    ),
    `SELECT group_id, count FROM ${edgeCounts(request, values)} WHERE group_id = ANY ($2::uuid[])`,
  ];
  const { rows } = await database.query<{ id: string; least: number }>(
    `WITH counted AS MATERIALIZED (
        SELECT id, sum(count) AS count FROM (${parts.join(' UNION ALL ')}) AS part WHERE count > 0 GROUP BY 1
      ), named AS MATERIALIZED (
        -- As the answer names them: null for all further groups.
        SELECT counted.*, CASE WHEN head.number > 0 THEN head.fingerprint END AS fingerprint
        FROM counted JOIN groups AS g ON g.id = counted.id AND g.project_id = ANY ($1::uuid[])
          JOIN groups AS head ON head.id = coalesce(g.merged_into, g.id)
      ), largest AS MATERIALIZED (
        SELECT fingerprint, sum(count) AS count FROM named GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${bind(values, place)}
      )
      SELECT id, (SELECT CASE WHEN count(*) < ${place} THEN 0 ELSE min(count) END FROM largest)::bigint AS least
      FROM named WHERE EXISTS (
        SELECT FROM largest WHERE largest.fingerprint IS NOT DISTINCT FROM named.fingerprint)`,
    values,
  );
  return { groupIds: rows.map(({ id }) => id), least: rows[0]?.least ?? 0 };
}

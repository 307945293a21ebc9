import type { Queryable } from '../../database/database.ts';
import { bind } from '../where.ts';
import { countOf, type GroupCountsRequest, tablesOf } from './largest-group-queries.ts';
import { staleHours } from './rolled-hours.ts';

/**
 * Of these groups, among which are all that count for their kinds, those of the `place` largest kinds: by their exact counts,
 * of whole hours where these are copied. So the minutes of these groups alone are read for what they counted when.
 */
export async function listGroupsOfLargestKinds(
  database: Queryable,
  request: GroupCountsRequest,
  groupIds: readonly string[],
  place: number,
): Promise<string[]> {
  const values: unknown[] = [request.projectIds, groupIds];
  const { firstMinuteMs, endMinuteMs, rolled } = request;
  const time = (ms: number) => `${bind(values, new Date(ms))}::timestamptz`;
  const sums = (table: string, where: string, from = '') => `
    SELECT one.id, read.count FROM unnest($2::uuid[]) AS one (id) CROSS JOIN LATERAL (
      SELECT sum(${countOf(request)}) AS count FROM ${table} AS h ${from} WHERE h.group_id = one.id AND ${where} OFFSET 0
    ) AS read WHERE read.count > 0`;
  const minutes = (fromMs: number, endMs: number) =>
    fromMs < endMs ? [sums('group_minutes', `minute >= ${time(fromMs)} AND minute < ${time(endMs)}`)] : [];
  const isRolled = rolled.fromMs < rolled.endMs;
  const stale = isRolled && rolled.stale.length > 0 ? staleHours(rolled, values) : null;
  const parts = [
    ...tablesOf(request).map(({ table, fromMs, endMs }) =>
      sums(
        table,
        `hour >= ${time(fromMs)} AND hour < ${time(endMs)} ${
          stale && table === 'group_recent_hours'
            ? `AND (h.project_id, h.hour) NOT IN (SELECT project_id, hour FROM ${stale})`
            : ''
        }`,
      ),
    ),
    ...minutes(firstMinuteMs, isRolled ? rolled.fromMs : endMinuteMs),
    ...(isRolled ? minutes(rolled.endMs, endMinuteMs) : []),
    ...(stale
      ? [
          sums(
            'group_minutes',
            `h.project_id = stale.project_id AND minute >= stale.hour AND minute < stale.hour + interval '1 hour'`,
            `CROSS JOIN ${stale}`,
          ),
        ]
      : []),
    `SELECT id, count FROM unnest(${bind(
      values,
      request.edges.map(({ groupId }) => groupId),
    )}::uuid[], ${bind(
      values,
      request.edges.map(({ count }) => count),
    )}::bigint[]) AS edge (id, count) WHERE id = ANY ($2::uuid[])`,
  ];
  const { rows } = await database.query<{ id: string }>(
    `WITH counted AS MATERIALIZED (
        SELECT id, sum(count) AS count FROM (${parts.join(' UNION ALL ')}) AS part GROUP BY 1
      ), named AS MATERIALIZED (
        -- As the answer names them: null for all further kinds.
        SELECT counted.*, CASE WHEN head.number > 0 THEN head.fingerprint END AS fingerprint
        FROM counted JOIN groups AS g ON g.id = counted.id AND g.project_id = ANY ($1::uuid[])
          JOIN groups AS head ON head.id = coalesce(g.merged_into, g.id)
      ), largest AS MATERIALIZED (
        SELECT fingerprint FROM named GROUP BY 1 ORDER BY sum(count) DESC, 1 LIMIT ${bind(values, place)}
      )
      SELECT id FROM named WHERE EXISTS (
        SELECT FROM largest WHERE largest.fingerprint IS NOT DISTINCT FROM named.fingerprint)`,
    values,
  );
  return rows.map(({ id }) => id);
}

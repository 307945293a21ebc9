import type { Queryable } from '../../database/database.ts';
import { bind } from '../where.ts';
import {
  countOf,
  edgeCounts,
  type FingerprintLists,
  type GroupCountsRequest,
} from './largest-group-queries.ts';
import { staleHours } from './rolled-hours.ts';

export interface FingerprintBounds {
  /** The largest first. */
  listed: { fingerprint: string; atMost: number }[];
  /** Upper bound of any other fingerprint. */
  othersAtMost: number;
}

/**
 * Upper bounds of fingerprints, at least of each that may be among the `limit` largest: by the lists of hours, and by
 * all counts beside them. In hours with later events, the projects with these events are counted once more. The hours
 * at both ends of the range are counted as a whole.
 */
export async function listFingerprintBounds(
  database: Queryable,
  request: GroupCountsRequest,
  lists: FingerprintLists,
  limit: number,
): Promise<FingerprintBounds> {
  const { organizationId, hours } = lists;
  const values: unknown[] = [organizationId, request.projectIds];
  const time = (ms: number) => `${bind(values, new Date(ms))}::timestamptz`;
  const count = countOf(request);
  const minutes = (from: string, end: string) =>
    `SELECT group_id, ${count} AS count FROM group_minutes AS m WHERE ${from} AND ${end}`;
  const beside = [
    minutes(
      `project_id = ANY ($2::uuid[]) AND minute >= ${time(Math.max(request.firstMinuteMs, hours.endMs))}`,
      `minute < ${time(request.endMinuteMs)}`,
    ),
    `SELECT * FROM ${edgeCounts(request, values)}`,
  ];
  if (hours.stale.length > 0)
    beside.push(`SELECT late.* FROM ${staleHours(hours, values)} CROSS JOIN LATERAL (
        ${minutes('m.project_id = stale.project_id AND minute >= stale.hour', `minute < stale.hour + interval '1 hour'`)}
        UNION ALL
        SELECT group_id, ${count} FROM group_hours AS h WHERE h.project_id = stale.project_id AND h.hour = stale.hour
        OFFSET 0
      ) AS late`);
  const { rows } = await database.query<FingerprintBounds>(
    `WITH slots AS MATERIALIZED (
        SELECT fingerprints, counts, others_at_most FROM fingerprint_hours
        WHERE organization_id = $1 AND hour >= ${time(hours.fromMs)} AND hour < ${time(hours.endMs)}
          AND ${request.severity === null ? 'severity IS NULL' : `severity = ${bind(values, request.severity)}`}
      ), counted AS MATERIALIZED (
        SELECT group_id, sum(count) AS count FROM (${beside.join(' UNION ALL ')}) AS counted WHERE count > 0 GROUP BY 1
      ), named AS MATERIALIZED (
        -- More than what the others count at most.
        SELECT fingerprint, sum(more) AS more FROM (
          SELECT slot.fingerprint, slot.count - others_at_most AS more
          FROM slots CROSS JOIN LATERAL unnest(fingerprints, counts) AS slot (fingerprint, count)
          UNION ALL
          SELECT g.fingerprint, counted.count FROM counted JOIN groups AS g ON g.id = counted.group_id
        ) AS of_slots GROUP BY 1
      ), others AS MATERIALIZED (
        SELECT coalesce(sum(others_at_most), 0) AS at_most FROM slots
      )
      SELECT others.at_most::bigint AS "othersAtMost", (
        SELECT coalesce(jsonb_agg(jsonb_build_object('fingerprint', fingerprint, 'atMost', more + others.at_most)), '[]')
        FROM (SELECT * FROM named ORDER BY more DESC, fingerprint LIMIT ${bind(values, limit)}) AS largest
      ) AS listed
      FROM others`,
    values,
  );
  return rows[0] ?? { listed: [], othersAtMost: 0 };
}

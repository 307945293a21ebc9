import type { Queryable } from '../../database/database.ts';
import { wholeMinutes } from '../conditions.ts';
import { eventCount } from '../event-count.ts';
import { MORE_FINGERPRINT } from '../group-queries.ts';
import type { BoundedConditions } from '../read-types.ts';
import { all, bind, indexedWhere } from '../where.ts';
import type { GroupCountsRequest } from './largest-group-queries.ts';

/** The events of partial minutes by group. */
export async function countEdges(
  database: Queryable,
  organizationId: string,
  range: BoundedConditions,
): Promise<GroupCountsRequest['edges']> {
  const values: unknown[] = [organizationId];
  const edges = cellsOfEdges(range, values);
  if (edges.length === 0) return [];
  const { rows } = await database.query<GroupCountsRequest['edges'][number]>(
    `SELECT group_id AS "groupId", sum(count)::bigint AS count FROM (${edges.join(' UNION ALL ')}) AS counted
      WHERE group_id IS NOT NULL GROUP BY 1`,
    values,
  );
  return rows;
}

/** The events of partial minutes as counts of groups with their severity. */
export function cellsOfEdges(range: BoundedConditions, values: unknown[]): string[] {
  return edgesOf(range).map((edge) => cellsOfEdge(range, edge, values));
}

/** The partial minutes at both ends. */
function edgesOf(range: BoundedConditions): BoundedConditions[] {
  const { firstMinuteMs, endMinuteMs } = wholeMinutes(range);
  if (firstMinuteMs >= endMinuteMs) return [range];
  const edges = [
    { ...range, beforeMs: firstMinuteMs },
    { ...range, afterMs: endMinuteMs - 1 },
  ];
  return edges.filter(({ afterMs, beforeMs }) => beforeMs - afterMs > 1);
}

/** Counts from events, for a partial minute at an end of the range; each second of it apart. */
function cellsOfEdge(range: BoundedConditions, edge: BoundedConditions, values: unknown[]): string {
  const where = indexedWhere(edge, values);
  if (range.severity !== null) where.push(`severity = ${bind(values, range.severity)}`);
  return `SELECT coalesce(own.group_id, more.group_id) AS group_id, counted.at_ms, 1::float8 AS width_ms, counted.count,
      counted.severity
    FROM (
      SELECT project_id, fingerprint, (('x0000' || left(id::text, 8) || substr(id::text, 10, 4))::bit(64)::bigint)::float8 AS at_ms,
        ${eventCount()} AS count, max(severity) AS severity
      FROM events WHERE ${all(where)} GROUP BY 1, 2, 3
    ) AS counted
    LEFT JOIN group_fingerprints AS own ON own.project_id = counted.project_id AND own.fingerprint = counted.fingerprint
    LEFT JOIN group_fingerprints AS more ON own.group_id IS NULL AND more.project_id = counted.project_id
      AND more.fingerprint = '${MORE_FINGERPRINT}'`;
}

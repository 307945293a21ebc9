import type { Queryable } from '../../database/database.ts';
import { GROUP_COLUMNS } from '../../groups/queries.ts';
import type { GroupRow } from '../../groups/schema.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import type { IncidentRow } from '../rows.ts';
import { seriesBehind } from '../series-behind.ts';

const LARGEST = 10;

export type IncidentGroupRow = GroupRow & { incidentCount: number; share: number };

/**
 * The groups of a risk incident's series with what they counted from the beginning of its window until it was resolved,
 * the largest first, and their shares of all of them. By the minute of capture; of times from which only hours are kept,
 * with the whole hour in which it began. What is missing has no groups.
 */
export async function listIncidentGroups(
  database: Queryable,
  organizationId: string,
  { evidence, projectId, resolvedAt }: IncidentRow,
): Promise<IncidentGroupRow[]> {
  if (!evidence) return [];
  const { series, fromMs, isAbsence } = seriesBehind(evidence);
  if (isAbsence) return [];
  const { rows } = await database.query<IncidentGroupRow>(
    `WITH series AS (
        SELECT * FROM jsonb_to_recordset($3::jsonb) AS s (kind text, type text, severity severity, source text,
          fingerprint text)
      ), kept AS (
        SELECT group_id, info, warn, error, critical FROM group_minutes
        WHERE project_id = $2 AND minute >= date_trunc('minute', $4::timestamptz, 'UTC') AND minute <= coalesce($5, 'infinity'::timestamptz)
        UNION ALL
        SELECT group_id, info, warn, error, critical FROM group_hours
        WHERE project_id = $2 AND hour >= $6 AND hour <= coalesce($5, 'infinity'::timestamptz)
      ), sums AS (
        SELECT group_id, sum(info) AS info, sum(warn) AS warn, sum(error) AS error, sum(critical) AS critical
        FROM kept GROUP BY 1
      ), counted AS (
        SELECT coalesce(g.merged_into, g.id) AS id, sum(one.count) AS count
        FROM sums JOIN groups AS g ON g.organization_id = $1 AND g.id = sums.group_id
        CROSS JOIN LATERAL (VALUES (info, 'info'::severity), (warn, 'warn'), (error, 'error'), (critical, 'critical'))
          AS one (count, severity)
        WHERE one.count > 0 AND EXISTS (
          SELECT FROM series AS s
          WHERE (s.type IS NULL OR s.type = g.type) AND (s.fingerprint IS NULL OR s.fingerprint = g.fingerprint)
            AND (s.severity IS NULL OR s.severity = one.severity)
            AND (s.kind NOT IN ('errors', 'failed_payments') OR one.severity >= 'error')
            AND (s.source = g.source OR s.source IS NULL AND (s.kind <> 'events' OR g.source IS NULL)))
        GROUP BY 1
      )
      SELECT ${GROUP_COLUMNS}, counted.count::bigint AS "incidentCount",
        (counted.count / sum(counted.count) OVER ())::float8 AS share
      FROM counted JOIN groups AS g ON g.id = counted.id
      ORDER BY counted.count DESC, g.id LIMIT ${LARGEST}`,
    [
      organizationId,
      projectId,
      JSON.stringify(series),
      new Date(fromMs),
      resolvedAt,
      new Date(Math.floor(fromMs / HOUR_MS) * HOUR_MS),
    ],
  );
  return rows;
}

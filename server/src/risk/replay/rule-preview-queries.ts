import type { Queryable } from '../../database/database.ts';
import type { FieldCount, FieldCounts, TimeRange } from '../../events/read-types.ts';
import { all } from '../../events/where.ts';
import { EVALUATED_COUNTS, IN_RANGE } from '../counts/count-queries.ts';
import type { CountRule } from '../settings/schema.ts';

/** Maximum rows of counts that a preview scans. */
const MAX_ROWS = 1_000_000;

/** Counts that a rule is about, by the minute of capture: the newest that are affordable. No events are read. */
export async function listRuleMinutes(
  database: Queryable,
  [organizationId, projectId]: [string, string],
  { type, source, severity }: CountRule,
  { fromMs, toMs }: TimeRange,
): Promise<Omit<FieldCounts, 'events'> & { events: null }> {
  const { rows } = await database.query<{ counts: FieldCount[]; oldestMs: number | null }>(
    `WITH scanned AS MATERIALIZED (
        SELECT minute, type, source, severity, count, failed_payments, alerts FROM event_counts
        WHERE ${all(IN_RANGE)} ORDER BY minute DESC LIMIT ${MAX_ROWS}
      )
      SELECT (SELECT CASE WHEN count(*) = ${MAX_ROWS} THEN extract(epoch FROM min(minute))::bigint * 1000 END FROM scanned) AS "oldestMs",
        (SELECT coalesce(json_agg(counted ORDER BY "bucketMs"), '[]') FROM (
          SELECT (extract(epoch FROM minute) * 1000)::bigint AS "bucketMs", evaluated.severity, sum(evaluated.count)::bigint AS count,
            0 AS matching
          FROM scanned AS c, ${EVALUATED_COUNTS}
          WHERE evaluated.count > 0 AND ($5::text IS NULL OR type = $5) AND ($6::text IS NULL OR source = $6)
            AND ($7::severity IS NULL OR evaluated.severity = $7)
          GROUP BY 1, 2
        ) AS counted) AS counts`,
    [organizationId, projectId, new Date(fromMs), new Date(toMs), type, source, severity],
  );
  const { counts = [], oldestMs = null } = rows[0] ?? {};
  return { counts, completeFromMs: oldestMs, events: null };
}

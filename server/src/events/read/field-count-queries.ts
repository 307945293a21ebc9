import type { Queryable } from '../../database/database.ts';
import { isEvidence } from '../../environments/numbers.ts';
import { uuidLowerBound, uuidTime } from '../../platform/ids.ts';
import { eventCount } from '../event-count.ts';
import { fulfilsCondition } from '../field-condition.ts';
import type { FieldCount, FieldCounting, FieldCounts, TimeRange } from '../read-types.ts';
import { evaluatedSeverity } from '../series-condition.ts';

/** Maximum newest events of the project that are scanned. */
const MAX_SCANNED = 200_000;

/** Counts the newest events of a range, and those that fulfil a condition on a field, by the time of receipt. */
export async function listFieldCounts(
  database: Queryable,
  organizationId: string,
  { projectId, type, source, field, severity, maxRead }: FieldCounting,
  { fromMs, toMs }: TimeRange,
): Promise<FieldCounts> {
  const { rows } = await database.query<{
    counts: FieldCount[];
    scanned: number;
    read: number;
    oldestId: string | null;
  }>(
    `WITH scanned AS MATERIALIZED (
        SELECT id, ($5::text IS NULL OR type = $5) AND ($6::text IS NULL OR source = $6)
          AND ($7::severity IS NULL OR ${evaluatedSeverity('events')} = $7) AS is_found
        FROM events WHERE organization_id = $1 AND project_id = $2 AND id >= $3 AND id < $4 AND ${isEvidence('$2')}
        ORDER BY id DESC LIMIT ${MAX_SCANNED}
      ), found AS MATERIALIZED (
        SELECT id FROM scanned WHERE is_found ORDER BY id DESC LIMIT ${maxRead}
      ), read AS (
        SELECT id, date_bin('5 seconds', received_at, 'epoch') AS bucket, ${evaluatedSeverity('events')} AS severity, weight,
          ${fulfilsCondition('payload', '$8')} AS is_matching
        FROM events WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT id FROM found))
          AND id >= (SELECT id FROM found ORDER BY id LIMIT 1) AND id < $4
      )
      SELECT (SELECT count(*) FROM scanned) AS scanned, (SELECT count(*) FROM found) AS read,
        CASE WHEN (SELECT count(*) FROM found) = ${maxRead} THEN (SELECT id FROM found ORDER BY id LIMIT 1)
          ELSE (SELECT id FROM scanned ORDER BY id LIMIT 1) END AS "oldestId",
        (SELECT coalesce(json_agg(counted ORDER BY "bucketMs"), '[]') FROM (
          SELECT (extract(epoch FROM bucket) * 1000)::bigint AS "bucketMs", severity, ${eventCount()} AS count,
            ${eventCount('is_matching')} AS matching
          FROM read GROUP BY 1, 2
        ) AS counted) AS counts`,
    [
      organizationId,
      projectId,
      uuidLowerBound(fromMs),
      uuidLowerBound(toMs),
      type,
      source,
      severity,
      JSON.stringify(field),
    ],
  );
  const [{ counts, scanned, read, oldestId } = { counts: [], scanned: 0, read: 0, oldestId: null }] = rows;
  const isBounded = scanned === MAX_SCANNED || read === maxRead;
  return { counts, completeFromMs: isBounded && oldestId ? uuidTime(oldestId) : null, events: read };
}

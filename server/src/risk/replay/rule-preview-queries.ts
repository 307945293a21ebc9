import type { Queryable } from '../../database/database.ts';
import { isEvidence } from '../../environments/numbers.ts';
import { eventCount } from '../../events/event-count.ts';
import { fulfilsCondition } from '../../events/field-condition.ts';
import { evaluatedSeverity } from '../../events/series-condition.ts';
import type { Severity } from '../../events/severity.ts';
import { all } from '../../events/where.ts';
import { uuidLowerBound, uuidTime } from '../../platform/ids.ts';
import { EVALUATED_COUNTS, IN_RANGE, type TimeRange } from '../counts/count-queries.ts';
import { MAX_PREVIEWED_EVENTS } from '../settings/limits.ts';
import type { CountRule } from '../settings/schema.ts';

/** Maximum rows of counts, and newest events of the project, that a preview scans. */
const MAX_ROWS = 1_000_000;
const MAX_SCANNED = 200_000;

/** Events of one severity in a bucket. */
export interface RuleCount {
  bucketMs: number;
  severity: Severity;
  count: number;
  /** Number of them that fulfil the rule's condition on a field. */
  matching: number;
}

interface PastRuleCounts {
  /** Oldest first. */
  counts: RuleCount[];
  /** Time from which all events are counted; null: the whole range. */
  completeFromMs: number | null;
  /** Number of events that were read; null: they were counted before. */
  events: number | null;
}

/** Counts that a rule is about, by the minute of capture: the newest that are affordable. */
export async function listRuleMinutes(
  database: Queryable,
  [organizationId, projectId]: [string, string],
  { type, source, severity }: CountRule,
  { fromMs, toMs }: TimeRange,
): Promise<PastRuleCounts> {
  const { rows } = await database.query<{ counts: RuleCount[]; oldestMs: number | null }>(
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

/** The newest events that a rule about a field is about, by the time of receipt. */
export async function listRuleEvents(
  database: Queryable,
  [organizationId, projectId]: [string, string],
  { type, source, field, severity }: CountRule & { field: NonNullable<CountRule['field']> },
  { fromMs, toMs }: TimeRange,
): Promise<PastRuleCounts> {
  const { rows } = await database.query<{
    counts: RuleCount[];
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
        SELECT id FROM scanned WHERE is_found ORDER BY id DESC LIMIT ${MAX_PREVIEWED_EVENTS}
      ), read AS (
        SELECT id, date_bin('5 seconds', received_at, 'epoch') AS bucket, ${evaluatedSeverity('events')} AS severity, weight,
          ${fulfilsCondition('payload', '$8')} AS is_matching
        FROM events WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT id FROM found))
          AND id >= (SELECT id FROM found ORDER BY id LIMIT 1) AND id < $4
      )
      SELECT (SELECT count(*) FROM scanned) AS scanned, (SELECT count(*) FROM found) AS read,
        CASE WHEN (SELECT count(*) FROM found) = ${MAX_PREVIEWED_EVENTS} THEN (SELECT id FROM found ORDER BY id LIMIT 1)
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
  const isBounded = scanned === MAX_SCANNED || read === MAX_PREVIEWED_EVENTS;
  return { counts, completeFromMs: isBounded && oldestId ? uuidTime(oldestId) : null, events: read };
}

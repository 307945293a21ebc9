import type { Queryable } from '../../database/database.ts';
import { isEvidence } from '../../environments/numbers.ts';
import { eventCount } from '../../events/event-count.ts';
import { MORE_FINGERPRINT, mergedGroupIds } from '../../events/group-queries.ts';
import { isOfSeries } from '../../events/series-condition.ts';
import { SEVERITIES } from '../../events/severities.ts';
import { isErrorOrWorse, type Severity } from '../../events/severity.ts';
import { all, bind } from '../../events/where.ts';
import type { GroupRow } from '../../groups/group-row.ts';
import { groupColumns } from '../../groups/queries.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { hourOf, minuteOf, NO_END_MS } from '../../platform/time.ts';
import type { RiskSeries } from '../evidence-schema.ts';
import type { LeadEvents } from '../lead.ts';

/** Maximum groups of one incident that are listed. */
export const LARGEST = 10;

export type IncidentGroupRow = GroupRow & { incidentCount: number; share: number };

/**
 * The groups of counted events, the largest first, with their states at a time and their shares of all of them. By
 * the time of capture; for times from which only hours are kept, with the whole hour in which it began.
 */
export async function listIncidentGroups(
  database: Queryable,
  organizationId: string,
  { projectId, groupId, series, fromMs, untilMs }: LeadEvents,
  at: Date,
): Promise<IncidentGroupRow[]> {
  const firstMs = Math.ceil(fromMs / MINUTE_MS) * MINUTE_MS;
  const endMs = untilMs === null ? NO_END_MS : Math.max(firstMs, minuteOf(untilMs + 1));
  const values: unknown[] = [
    organizationId,
    projectId,
    new Date(firstMs),
    new Date(endMs),
    // Within an hour, no part is counted apart.
    new Date(hourOf(fromMs)),
  ];
  // No count of a group tells events apart by their payload.
  const isOfField = series.field !== undefined && groupId === null;
  const edges = isOfField
    ? [{ fromMs, toMs: untilMs === null ? NO_END_MS : untilMs + 1 }]
    : [
        { fromMs, toMs: Math.min(firstMs, untilMs === null ? firstMs : untilMs + 1) },
        { fromMs: endMs, toMs: untilMs === null ? endMs : untilMs + 1 },
      ].filter((edge) => edge.fromMs < edge.toMs);
  const count = SEVERITIES.map((severity) =>
    groupId ? `evaluated.${severity}` : countOf(severity, series, values),
  ).join(' + ');
  const { rows } = await database.query<IncidentGroupRow>(
    // The groups of the answer are read last: there may be tens of thousands of others.
    `WITH kept AS (
        SELECT group_id, info, warn, error, critical FROM group_minutes
        WHERE ${!isOfField} AND project_id = $2 AND minute >= $3 AND minute < $4
        UNION ALL
        SELECT group_id, info, warn, error, critical FROM group_hours
        WHERE ${!isOfField} AND project_id = $2 AND hour >= $5 AND hour < $4
        ${edges.map((edge) => `UNION ALL ${countsOfEvents(edge, values, isOfField ? series : null)}`).join(' ')}
      ), sums AS (
        SELECT group_id, sum(info)::bigint AS info, sum(warn)::bigint AS warn, sum(error)::bigint AS error,
          sum(critical)::bigint AS critical
        FROM kept GROUP BY 1
      ), counted AS MATERIALIZED (
        SELECT coalesce(g.merged_into, g.id) AS id, sum(${count}) AS count
        FROM sums JOIN groups AS g ON g.organization_id = $1 AND g.id = sums.group_id CROSS JOIN LATERAL (
          SELECT sums.critical, sums.error + CASE WHEN ${isFailedPayment('g')} THEN sums.info + sums.warn ELSE 0 END AS error,
            CASE WHEN ${isFailedPayment('g')} THEN 0 ELSE sums.info END AS info,
            CASE WHEN ${isFailedPayment('g')} THEN 0 ELSE sums.warn END AS warn
        ) AS evaluated
        WHERE ${groupId ? `g.id = ANY (${mergedGroupIds(bind(values, [groupId]))}::uuid[])` : 'g.is_watched'} GROUP BY 1
      ), largest AS MATERIALIZED (
        SELECT id, count FROM counted WHERE count > 0 ORDER BY count DESC, id LIMIT ${LARGEST}
      )
      SELECT ${groupColumns(bind(values, at))}, largest.count::bigint AS "incidentCount",
        (largest.count / (SELECT sum(count) FROM counted))::float8 AS share
      FROM largest JOIN groups AS g ON g.id = largest.id ORDER BY largest.count DESC, g.id`,
    values,
  );
  return rows;
}

/** Maximum newest events of a range that are compared with a field of the payload. */
const MAX_READ = 20_000;

/**
 * Counts of groups by the events of a range, in the form of `kept`.
 * @param series series to which the newest of them must belong as evidence; null: all are counted
 */
function countsOfEvents(
  { fromMs, toMs }: { fromMs: number; toMs: number },
  values: unknown[],
  series: RiskSeries | null,
): string {
  const ofSeverity = SEVERITIES.map(
    (severity) => `${eventCount(`e.severity = '${severity}'`)} AS ${severity}`,
  );
  const found = series
    ? `${isOfSeries(bind(values, JSON.stringify([series])), 'events')} AND ${isEvidence('$2')}`
    : 'true';
  return `SELECT coalesce(own.group_id, more.group_id) AS group_id, ${ofSeverity.join(', ')}
    FROM (
      SELECT project_id, fingerprint, severity, weight, ${found} AS is_found FROM events
      WHERE organization_id = $1 AND project_id = $2
        AND id >= ${bind(values, uuidLowerBound(fromMs))}::uuid AND id < ${bind(values, uuidLowerBound(toMs))}::uuid
      ${series ? `ORDER BY id DESC LIMIT ${MAX_READ}` : ''}
    ) AS e
    LEFT JOIN group_fingerprints AS own ON own.project_id = e.project_id AND own.fingerprint = e.fingerprint
    LEFT JOIN group_fingerprints AS more ON more.project_id = e.project_id AND more.fingerprint = '${MORE_FINGERPRINT}'
    WHERE is_found GROUP BY 1`;
}

/**
 * True if the events of a group are failed payments of a processor, which are stored as milder than they are
 * evaluated.
 */
export const isFailedPayment = (table: string) =>
  `(${table}.source = 'payments' AND ${table}.type = 'payment' AND ${table}.title LIKE '%.payment\\_failed')`;

/** SQL of a group's count of a severity, as it is evaluated, for a series. */
function countOf(
  severity: Severity,
  { kind, type, severity: ofSeverity, source, fingerprint }: RiskSeries,
  values: unknown[],
): string {
  const isErrors = kind === 'errors' || kind === 'failed_payments';
  if ((ofSeverity !== null && ofSeverity !== severity) || (isErrors && !isErrorOrWorse(severity))) return '0';
  const where: string[] = [];
  if (type !== null) where.push(`g.type = ${bind(values, type)}`);
  if (fingerprint !== null) where.push(`g.fingerprint = ${bind(values, fingerprint)}`);
  if (source !== null) where.push(`g.source = ${bind(values, source)}`);
  else if (kind === 'events') where.push('g.source IS NULL');
  return `CASE WHEN ${all(where)} THEN evaluated.${severity} ELSE 0 END`;
}

import { mergedGroupIds } from '../../events/group-queries.ts';
import type { EventReads } from '../../events/reader.ts';
import { SEVERITIES } from '../../events/severities.ts';
import { isErrorOrWorse, type Severity } from '../../events/severity.ts';
import { all, bind } from '../../events/where.ts';
import type { GroupRow } from '../../groups/group-row.ts';
import { groupColumns } from '../../groups/queries.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
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
  events: EventReads,
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
  const ranges = isOfField
    ? [{ fromMs, toMs: untilMs === null ? NO_END_MS : untilMs + 1 }]
    : [
        { fromMs, toMs: Math.min(firstMs, untilMs === null ? firstMs : untilMs + 1) },
        { fromMs: endMs, toMs: untilMs === null ? endMs : untilMs + 1 },
      ].filter((edge) => edge.fromMs < edge.toMs);
  const ofEdges = await events.countByGroup(organizationId, {
    projectId,
    groupId,
    ranges,
    series: isOfField ? series : null,
  });
  const count = SEVERITIES.map((severity) =>
    groupId ? `evaluated.${severity}` : countOf(severity, series, values),
  ).join(' + ');
  const { rows } = await events.database.query<IncidentGroupRow>(
    // The groups of the answer are read last: there may be tens of thousands of others.
    `WITH kept AS (
        SELECT group_id, info, warn, error, critical FROM group_minutes
        WHERE ${!isOfField} AND project_id = $2 AND minute >= $3 AND minute < $4
        UNION ALL
        SELECT group_id, info, warn, error, critical FROM group_hours
        WHERE ${!isOfField} AND project_id = $2 AND hour >= $5 AND hour < $4
        UNION ALL
        SELECT "groupId", info, warn, error, critical FROM jsonb_to_recordset(${bind(values, JSON.stringify(ofEdges))}::jsonb)
          AS edge ("groupId" uuid, info bigint, warn bigint, error bigint, critical bigint)
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

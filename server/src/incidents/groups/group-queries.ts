import type { Queryable } from '../../database/database.ts';
import { isErrorOrWorse, SEVERITIES, type Severity } from '../../events/severity.ts';
import { all, bind } from '../../events/where.ts';
import { GROUP_COLUMNS } from '../../groups/queries.ts';
import type { GroupRow } from '../../groups/schema.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import type { RiskSeries } from '../evidence-schema.ts';
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
  const values: unknown[] = [
    organizationId,
    projectId,
    new Date(fromMs),
    resolvedAt,
    new Date(Math.floor(fromMs / HOUR_MS) * HOUR_MS),
  ];
  const count = SEVERITIES.map((severity) => countOf(severity, series, values)).join(' + ');
  const { rows } = await database.query<IncidentGroupRow>(
    // The groups of the answer are read last: there may be tens of thousands of others.
    `WITH kept AS (
        SELECT group_id, info, warn, error, critical FROM group_minutes
        WHERE project_id = $2 AND minute >= date_trunc('minute', $3::timestamptz, 'UTC') AND minute <= coalesce($4, 'infinity'::timestamptz)
        UNION ALL
        SELECT group_id, info, warn, error, critical FROM group_hours
        WHERE project_id = $2 AND hour >= $5 AND hour <= coalesce($4, 'infinity'::timestamptz)
      ), sums AS (
        SELECT group_id, sum(info)::bigint AS info, sum(warn)::bigint AS warn, sum(error)::bigint AS error,
          sum(critical)::bigint AS critical
        FROM kept GROUP BY 1
      ), counted AS MATERIALIZED (
        SELECT coalesce(g.merged_into, g.id) AS id, sum(${count}) AS count
        FROM sums JOIN groups AS g ON g.organization_id = $1 AND g.id = sums.group_id GROUP BY 1
      ), largest AS MATERIALIZED (
        SELECT id, count FROM counted WHERE count > 0 ORDER BY count DESC, id LIMIT ${LARGEST}
      )
      SELECT ${GROUP_COLUMNS}, largest.count::bigint AS "incidentCount",
        (largest.count / (SELECT sum(count) FROM counted))::float8 AS share
      FROM largest JOIN groups AS g ON g.id = largest.id ORDER BY largest.count DESC, g.id`,
    values,
  );
  return rows;
}

/** What a group counts of a severity for any of the series, as SQL. */
function countOf(severity: Severity, series: readonly RiskSeries[], values: unknown[]): string {
  const of = series.filter(
    (one) =>
      (one.severity === null || one.severity === severity) &&
      (isErrorOrWorse(severity) || (one.kind !== 'errors' && one.kind !== 'failed_payments')),
  );
  if (of.length === 0) return '0';
  const held = of.map(({ kind, type, source, fingerprint }) => {
    const where: string[] = [];
    if (type !== null) where.push(`g.type = ${bind(values, type)}`);
    if (fingerprint !== null) where.push(`g.fingerprint = ${bind(values, fingerprint)}`);
    if (source !== null) where.push(`g.source = ${bind(values, source)}`);
    else if (kind === 'events') where.push('g.source IS NULL');
    return `(${all(where)})`;
  });
  return `CASE WHEN ${held.join(' OR ')} THEN sums.${severity} ELSE 0 END`;
}

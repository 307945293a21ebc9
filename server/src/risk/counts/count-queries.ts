import { fieldKey } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { isOfWatched } from '../../environments/numbers.ts';
import type { TimeRange } from '../../events/read-types.ts';
import { all, bind } from '../../events/where.ts';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';

/** Events of a series in a minute. */
export interface MinuteCount {
  minuteMs: number;
  matching: number;
  /** Denominator: all payments for failed payments, else the count itself. */
  all: number;
}

/**
 * SQL of what the detector counts of a row `c` of `event_counts`, by severity: a failed payment as an error, and no alert of another
 * system.
 */
export const EVALUATED_COUNTS = `LATERAL (VALUES (c.severity, c.count - c.failed_payments - c.alerts),
  ('error', c.failed_payments)) AS evaluated (severity, count)`;

export const MINUTE_COLUMN = '(extract(epoch FROM minute) * 1000)::bigint AS "minuteMs"';

/**
 * Counts of one series by the minute of capture, oldest first; minutes without any are left out. A failed payment
 * counts as an error, as in the live detector, whatever severity it is stored with.
 */
export async function listMinuteCounts(
  database: Queryable,
  organizationId: string,
  { projectId, series }: { projectId: string; series: RiskSeries },
  { fromMs, toMs }: TimeRange,
): Promise<MinuteCount[]> {
  const values: unknown[] = [organizationId, projectId, new Date(fromMs), new Date(toMs)];
  const counts = series.field
    ? `SELECT minute, type, source, severity, count FROM field_counts
        WHERE ${all(IN_RANGE)} AND condition = ${bind(values, fieldKey(series.field))}`
    : `SELECT minute, type, source, evaluated.severity, evaluated.count FROM event_counts AS c, ${EVALUATED_COUNTS}
        WHERE ${all(IN_RANGE)} AND evaluated.count > 0`;
  const { rows } = await database.query<MinuteCount>(
    `SELECT ${MINUTE_COLUMN}, coalesce(sum(count) FILTER (WHERE ${matchingOf(series)}), 0)::bigint AS matching,
        sum(count)::bigint AS "all"
      FROM (${counts}) AS counts
      WHERE ${all(conditionsOf(series, values))}
      GROUP BY minute ORDER BY minute`,
    values,
  );
  return rows;
}

/**
 * Condition of an organization, its project and a range of time, in the order of the unique index, for counts of the
 * environments that are watched now.
 */
export const IN_RANGE = [
  'organization_id = $1',
  'project_id = $2',
  'minute >= $3',
  'minute < $4',
  isOfWatched('$2'),
];

const ERRORS = `severity >= 'error'`;

function matchingOf({ kind }: RiskSeries): string {
  return kind === 'failed_payments' ? ERRORS : 'true';
}

function conditionsOf({ kind, type, severity, source }: RiskSeries, values: unknown[]): string[] {
  if (kind === 'total') return [];
  if (kind === 'errors') return [ERRORS];
  if (kind === 'failed_payments') return [`type = 'payment'`];
  const where: string[] = [];
  if (type !== null) where.push(`type = ${bind(values, type)}`);
  if (severity !== null) where.push(`severity = ${bind(values, severity)}`);
  // In a rule null matches any value; a series without a source is one of its own.
  if (source !== null) where.push(`source = ${bind(values, source)}`);
  else if (kind === 'events' || kind === 'new_kind') where.push('source IS NULL');
  return where;
}

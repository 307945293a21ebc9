import { fieldKey } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import type { TimeRange } from '../../events/read-types.ts';
import { all } from '../../events/where.ts';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import { EVALUATED_COUNTS, IN_RANGE, MINUTE_COLUMN } from '../counts/count-queries.ts';

/** Events of a series in a minute; `index` is its position in the request. */
export interface SeriesMinute {
  index: number;
  minuteMs: number;
  events: number;
}

/**
 * Counts of several series by the minute of capture; minutes without any are left out. As in the live detector, a
 * failed payment is an error. A field that is null matches any value, except for the source of a series of events.
 */
export async function listSeriesMinutes(
  database: Queryable,
  organizationId: string,
  { projectId, series }: { projectId: string; series: RiskSeries[] },
  { fromMs, toMs }: TimeRange,
): Promise<SeriesMinute[]> {
  const asked = series.map(({ kind, type, severity, source, field }, index) => ({
    index,
    kind,
    type,
    severity,
    source,
    condition: field && fieldKey(field),
  }));
  const conditions = asked.flatMap(({ condition }) => condition ?? []);
  const { rows } = await database.query<SeriesMinute>(
    `SELECT s.index, ${MINUTE_COLUMN}, sum(c.count)::bigint AS events
      FROM (
          SELECT minute, type, source, evaluated.severity, evaluated.count, NULL AS condition
          FROM event_counts AS c, ${EVALUATED_COUNTS} WHERE ${all(IN_RANGE)} AND evaluated.count > 0
          UNION ALL
          SELECT minute, type, source, severity, count, condition FROM field_counts
          WHERE ${all(IN_RANGE)} AND condition = ANY ($6::text[])
        ) AS c,
        jsonb_to_recordset($5) AS s (index int, kind text, type text, severity severity, source text, condition text)
      WHERE s.condition IS NOT DISTINCT FROM c.condition
        AND (s.type IS NULL OR s.type = c.type)
        AND (s.severity IS NULL OR s.severity = c.severity)
        AND (s.kind NOT IN ('errors', 'failed_payments') OR c.severity >= 'error')
        AND (s.source = c.source OR s.source IS NULL AND (s.kind NOT IN ('events', 'new_kind') OR c.source IS NULL))
      GROUP BY s.index, minute`,
    [organizationId, projectId, new Date(fromMs), new Date(toMs), JSON.stringify(asked), conditions],
  );
  return rows;
}

import type { Queryable } from '../../database/database.ts';
import { all } from '../../events/where.ts';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import { EVALUATED_COUNTS, IN_RANGE, MINUTE_COLUMN, type TimeRange } from '../counts/count-queries.ts';

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
  const asked = series.map(({ kind, type, severity, source }, index) => ({
    index,
    kind,
    type,
    severity,
    source,
  }));
  const { rows } = await database.query<SeriesMinute>(
    `SELECT s.index, ${MINUTE_COLUMN}, sum(evaluated.count)::bigint AS events
      FROM event_counts AS c, ${EVALUATED_COUNTS},
        jsonb_to_recordset($5) AS s (index int, kind text, type text, severity severity, source text)
      WHERE ${all(IN_RANGE)} AND evaluated.count > 0
        AND (s.type IS NULL OR s.type = c.type)
        AND (s.severity IS NULL OR s.severity = evaluated.severity)
        AND (s.kind NOT IN ('errors', 'failed_payments') OR evaluated.severity >= 'error')
        AND (s.source = c.source OR s.source IS NULL AND (s.kind NOT IN ('events', 'new_kind') OR c.source IS NULL))
      GROUP BY s.index, minute`,
    [organizationId, projectId, new Date(fromMs), new Date(toMs), JSON.stringify(asked)],
  );
  return rows;
}

import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import type { BoundedConditions } from '../read-types.ts';
import { all, bind, countsWhere, isOfAllProjects, isOfAllSeries, projectCountsWhere } from '../where.ts';
import { type RolledHours, staleHours } from './rolled-hours.ts';

export const QUARTER_MS = 15 * MINUTE_MS;

interface PartsRequest {
  /** Whole minutes. */
  firstMinuteMs: number;
  endMinuteMs: number;
  rolled: RolledHours;
  /** True if rolled hours are read as a whole, not in quarters. */
  isByHour: boolean;
  /** True if neither type nor source is among the columns. */
  isBySeverity: boolean;
  /** Columns of `event_counts` and `event_hours`, and expressions over `start_ms` (float8), `width_ms` (float8) and `count`. */
  columns: string;
  groupBy: string;
}

/**
 * A query of the counts of whole minutes: rolled hours from their copies, in quarters of an hour or whole ones, the
 * minutes before and after them, and those of hours with later events, from `event_counts`. For all projects together
 * there are copies of their sums, except for the hours in which one of them has had later events; and so there are
 * for each project without types and sources.
 */
export function countsByPart(
  conditions: BoundedConditions,
  request: PartsRequest,
  values: unknown[],
): string {
  const { firstMinuteMs, endMinuteMs, rolled, isByHour, isBySeverity, columns, groupBy } = request;
  const where = all(countsWhere(conditions, values));
  const time = (ms: number) => `${bind(values, new Date(ms))}::timestamptz`;
  const from = (rows: string) => `SELECT ${columns} FROM (${rows}) AS part GROUP BY ${groupBy}`;
  const minutes = (span: string) => `
    SELECT *, date_part('epoch', minute) * 1000 AS start_ms, ${MINUTE_MS}::float8 AS width_ms
    FROM event_counts WHERE ${where} AND ${span}`;
  const parts: string[] = [];
  if (rolled.fromMs > firstMinuteMs)
    parts.push(
      minutes(`minute >= ${time(firstMinuteMs)} AND minute < ${time(Math.min(rolled.fromMs, endMinuteMs))}`),
    );
  if (rolled.endMs < endMinuteMs && rolled.endMs > rolled.fromMs)
    parts.push(minutes(`minute >= ${time(rolled.endMs)} AND minute < ${time(endMinuteMs)}`));
  if (rolled.endMs > rolled.fromMs) {
    const stale = rolled.stale.length > 0 ? staleHours(rolled, values) : null;
    const span = spanOf(conditions, [time(rolled.fromMs), time(rolled.endMs)], values);
    const ofSeries = isBySeverity && isOfAllSeries(conditions) ? '' : '_series';
    const copies = (condition: string) =>
      hours(`scope = 'project${ofSeries}' AND ${where} AND ${condition}`, isByHour);
    const isNotStale = stale ? `AND (project_id, hour) NOT IN (SELECT project_id, hour FROM ${stale})` : '';
    const sums =
      !rolled.hasDeletedProjects && isOfAllProjects(conditions)
        ? projectCountsWhere(conditions, values)
        : null;
    if (sums) {
      const staleTimes = stale ? `ARRAY(SELECT hour FROM ${stale})` : null;
      const isSummed = `${span} ${staleTimes ? `AND hour <> ALL (${staleTimes})` : ''}`;
      parts.push(hours(`scope = 'organization${ofSeries}' AND ${all(sums)} AND ${isSummed}`, isByHour));
      if (staleTimes) parts.push(copies(`hour = ANY (${staleTimes}) ${isNotStale}`));
    } else parts.push(copies(`${span} ${isNotStale}`));
    if (stale)
      parts.push(`
        SELECT c.*, date_part('epoch', minute) * 1000 AS start_ms, ${MINUTE_MS}::float8 AS width_ms
        FROM ${stale} CROSS JOIN LATERAL (
          SELECT * FROM event_counts WHERE ${where} AND event_counts.project_id = stale.project_id
            AND minute >= stale.hour AND minute < stale.hour + interval '1 hour' OFFSET 0
        ) AS c`);
  }
  return parts.map(from).join(' UNION ALL ');
}

/**
 * For a type or source of one project also by comparing rows, from which the planner expects few: otherwise it may
 * read an index of types or sources of all projects, in place of the key.
 */
function spanOf(conditions: BoundedConditions, [from, end]: [string, string], values: unknown[]): string {
  const span = `hour >= ${from} AND hour < ${end}`;
  if (conditions.projectId === null || isOfAllSeries(conditions)) return span;
  const project = `${bind(values, conditions.projectId)}::uuid`;
  return `${span} AND (project_id, hour) >= (${project}, ${from}) AND (project_id, hour) < (${project}, ${end})`;
}

function hours(where: string, isByHour: boolean): string {
  if (isByHour)
    return `
      SELECT *, quarter_1 + quarter_2 + quarter_3 + quarter_4 AS count, date_part('epoch', hour) * 1000 AS start_ms,
        ${HOUR_MS}::float8 AS width_ms
      FROM event_hours WHERE ${where}`;
  return `
      SELECT h.*, counted.count, date_part('epoch', hour) * 1000 + counted.place * ${QUARTER_MS} AS start_ms,
        ${QUARTER_MS}::float8 AS width_ms
      FROM event_hours AS h
        CROSS JOIN LATERAL (VALUES (0, quarter_1), (1, quarter_2), (2, quarter_3), (3, quarter_4)) AS counted (place, count)
      WHERE ${where} AND counted.count > 0`;
}

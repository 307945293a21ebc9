import type { Queryable } from '../../database/database.ts';
import { uuidTime } from '../../platform/ids.ts';
import { NO_END_MS } from '../../platform/time.ts';
import type { EventConditions } from '../read-types.ts';
import { SEVERITIES } from '../severities.ts';
import {
  all,
  bind,
  countsWhere,
  isOfAllProjects,
  MINUTE_BOUNDS,
  projectCountsWhere,
  projectsWhere,
} from '../where.ts';
import { findRolledHours, type RolledHours, staleHours } from './rolled-hours.ts';

export interface HeldRequest {
  /** Beginning of the first minute. */
  firstMs: number;
  /** Exclusive end; within a minute if it is that of a cursor. */
  endMs: number;
  rolled: RolledHours;
  /** Number of wanted events, those beside the range in its first and its last minute included. */
  events: number;
}

/** The input of `heldMinutes` for events that are wanted before the one with this id. */
export async function toHeldRequest(
  database: Queryable,
  organizationId: string,
  { afterMs, beforeMs }: EventConditions,
  { cursor, events }: { cursor: string | null; events: number },
): Promise<HeldRequest> {
  const firstMs = afterMs === null ? 0 : Math.max(0, afterMs - 59_999);
  const endMs = Math.min(beforeMs ?? NO_END_MS, cursor ? uuidTime(cursor) + 1 : NO_END_MS);
  const range = { firstMinuteMs: firstMs, endMinuteMs: Math.max(firstMs, endMs) };
  return { firstMs, endMs, rolled: await findRolledHours(database, organizationId, range), events };
}

/**
 * A table `minutes`: the newest minutes with events of a type, severity or source, as bounds of ids, and the projects
 * that have them. At least as many events as wanted are in these minutes, or else all there are.
 *
 * For copied hours, indexes have the newest ones with such events. Each of their rows counts one event at least, so
 * as many rows as events are enough. Only in the newest of these hours that count as many events together, counts of
 * minutes are read: there may be hundreds of them elsewhere, each all over the index. Added to them are those of the
 * hours that are not copied yet, and of those with late events.
 */
export function heldMinutes(
  conditions: EventConditions,
  { firstMs, endMs, rolled, events }: HeldRequest,
  values: unknown[],
): string {
  const where = all(countsWhere(conditions, values));
  const time = (ms: number) => `${bind(values, new Date(ms))}::timestamptz`;
  const wanted = `${bind(values, events)}::bigint`;
  const counted = (within: string) =>
    `SELECT minute, project_id FROM event_counts WHERE ${where} AND ${within}`;
  const [first, end] = [time(firstMs), time(endMs)];
  const table = (parts: string[], known: string) => `
      SELECT ${MINUTE_BOUNDS}, project_ids FROM (
        SELECT minute, array_agg(DISTINCT project_id) AS project_ids FROM (${parts.join(' UNION ALL ')}) AS part
        WHERE ${known} GROUP BY minute ORDER BY minute DESC LIMIT ${wanted}
      ) AS held`;
  if (rolled.fromMs >= rolled.endMs)
    return `(${table([counted(`minute >= ${first} AND minute < ${end}`)], 'true')}) AS minutes`;

  const [fromHour, endHour] = [time(rolled.fromMs), time(rolled.endMs)];
  const stale = rolled.stale.length > 0 ? staleHours(rolled, values) : null;
  const ofProject = all(projectCountsWhere(conditions, values));
  // As rows of the key: otherwise the planner may read all organizations' counts of the time.
  const within = (from: string, width: string) => `
    SELECT counted.* FROM (${from}) AS span (project_id, start) CROSS JOIN LATERAL (
      SELECT minute, project_id FROM event_counts WHERE ${ofProject}
        AND (event_counts.project_id, minute) >= (span.project_id, span.start)
        AND (event_counts.project_id, minute) < (span.project_id, span.start + interval '${width}')
      OFFSET 0
    ) AS counted`;
  const ofProjects = all(projectsWhere(conditions, values));
  const quarters = `SELECT DISTINCT project_id, hour + place * interval '15 minutes'
    FROM newest_hours CROSS JOIN LATERAL (VALUES (0, quarter_1), (1, quarter_2), (2, quarter_3), (3, quarter_4))
      AS quarter (place, count) WHERE quarter.count > 0`;
  const parts = [
    counted(`minute >= ${first} AND minute < ${fromHour}`),
    counted(`minute >= ${endHour} AND minute < ${end}`),
    within(quarters, '15 minutes'),
    ...(stale ? [within(`SELECT * FROM ${stale} WHERE ${ofProjects}`, '1 hour')] : []),
  ];
  // No condition on projects if all are meant: the planner would expect that it leaves few.
  const isOfAll = !rolled.hasDeletedProjects && isOfAllProjects(conditions);
  const copied = `scope = 'project_series' AND ${ofProject} AND ${isOfAll ? 'true' : ofProjects} AND hour >= ${fromHour} AND hour < ${endHour}
    ${stale ? `AND (project_id, hour) NOT IN (SELECT project_id, hour FROM ${stale})` : ''}`;
  // Before the oldest of these hours, others may have events as well.
  const known = `minute >= (SELECT CASE WHEN coalesce(sum(${COUNT_OF_HOUR}), 0) < ${wanted} THEN '-infinity' ELSE min(hour) END FROM newest_hours)`;
  return `(
      WITH newest_hours AS MATERIALIZED (${untilEnough(newestHours(conditions, copied, wanted), wanted)})
      ${table(parts, known)}
    ) AS minutes`;
}

/** By an index that has each severity in the order of time. All rows of the last hour. */
function newestHours({ severity }: EventConditions, where: string, wanted: string): string {
  const newest = `ORDER BY hour DESC FETCH FIRST (${wanted}) ROWS WITH TIES`;
  const severities = (severity ? [severity] : SEVERITIES).map((one) => `'${one}'::severity`);
  return `SELECT newest.* FROM unnest(ARRAY[${severities.join(', ')}]) AS of (severity) CROSS JOIN LATERAL (
      SELECT project_id, hour, quarter_1, quarter_2, quarter_3, quarter_4
      FROM event_hours WHERE ${where} AND event_hours.severity = of.severity ${newest}
    ) AS newest ${newest}`;
}

const COUNT_OF_HOUR = '(quarter_1 + quarter_2 + quarter_3 + quarter_4)';

/** The rows of the newest hours that count as many events as wanted together; all rows of the last one of these. */
function untilEnough(rows: string, wanted: string): string {
  return `SELECT * FROM (
      SELECT *, coalesce(sum(${COUNT_OF_HOUR}) OVER (
        ORDER BY hour DESC GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS newer
      FROM (${rows}) AS hours
    ) AS summed WHERE newer < ${wanted}`;
}

import type { Queryable } from '../database/database.ts';
import { HOUR_MS } from '../platform/durations.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import { LIVE_PROJECTS } from '../tenancy/projects/queries.ts';
import { MORE_FINGERPRINT } from './group-queries.ts';
import { wholeMinutes } from './histogram-queries.ts';
import type { BoundedConditions, Top, TopQuery, TopShares } from './reader.ts';
import { SEVERITIES, type Severity } from './severity.ts';
import { all, bind, indexedWhere } from './where.ts';

const LABEL_CHARACTERS = 300;
/** Minutes are kept for 48 hours. An hour less: another machine's clock may be ahead. */
const MINUTES_KEPT_MS = 47 * HOUR_MS;

/** Whether the counts of groups have every column that the conditions refer to. */
export function answerableFromGroups(conditions: BoundedConditions): boolean {
  const { environment, type, source, correlationId, fingerprint, group, release } = conditions;
  const { words, pairs, paths, not } = conditions;
  const others = [environment, type, source, correlationId, fingerprint, group, release];
  const lists: { length: number }[] = [words, pairs, paths, ...Object.values(not)];
  return lists.every(({ length }) => length === 0) && others.every((condition) => condition === null);
}

/** Since when all events are counted in groups, in milliseconds; null: always. */
export async function findGroupCountsSince(database: Queryable): Promise<number | null> {
  const { rows } = await database.query<{ value: string }>(
    `SELECT value FROM settings WHERE name = 'group_counts_since'`,
  );
  return rows[0] ? Date.parse(rows[0].value) : null;
}

interface TopGroupRow {
  fingerprint: string | null;
  groupId: string;
  count: number;
  label: string | null;
  severity: Severity;
  parts: number[];
  shares: number[];
}

/**
 * The most frequent kinds, counted exactly: by the minute within 47 hours, with the events of the partial minutes at both
 * ends, and by whole hours before it.
 */
export async function listTopGroups(
  database: Queryable,
  organizationId: string,
  conditions: BoundedConditions,
  query: TopQuery,
): Promise<Top> {
  const range = toCountedRange(conditions, query.nowMs);
  const widthMs = (range.beforeMs - range.afterMs - 1) / query.parts;
  if (widthMs <= 0) return { values: [], scan: null, range };
  const values: unknown[] = [organizationId];
  const cells = cellsOf(range, values);
  const [fromMs, width] = [range.afterMs + 1, widthMs].map((number) => `${bind(values, number)}::float8`);
  const { rows } = await database.query<TopGroupRow>(
    `WITH cells AS MATERIALIZED (
        -- Projects may have the same kind: it is one value.
        SELECT CASE WHEN head.number > 0 THEN head.fingerprint END AS fingerprint, head.id AS group_id, at_ms, width_ms,
          sum(counted.count)::float8 AS count, max(counted.severity) AS severity
        FROM (${cells}) AS counted JOIN groups AS g ON g.id = counted.group_id
        JOIN groups AS head ON head.id = coalesce(g.merged_into, g.id)
        GROUP BY 1, 2, 3, 4
      ), sums AS MATERIALIZED (
        SELECT fingerprint, group_id, sum(count) AS count, max(severity) AS severity FROM cells GROUP BY 1, 2
      ), top AS MATERIALIZED (
        SELECT fingerprint, (array_agg(group_id ORDER BY count DESC, group_id))[1] AS group_id, sum(count) AS count,
          max(severity) AS severity
        FROM sums GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT ${bind(values, query.limit)}
      ), shared AS (
        SELECT top.group_id, part, sum(cells.count * (least(at_ms + width_ms, ${fromMs} + (part + 1) * ${width})
          - greatest(at_ms, ${fromMs} + part * ${width})) / width_ms) AS share
        FROM cells JOIN top ON top.fingerprint IS NOT DISTINCT FROM cells.fingerprint
        CROSS JOIN LATERAL generate_series(
          greatest(floor((at_ms - ${fromMs}) / ${width})::int, 0),
          least(greatest(ceil((at_ms + width_ms - ${fromMs}) / ${width})::int, 1), ${query.parts}) - 1) AS part
        GROUP BY 1, 2
      ), parts AS (
        SELECT group_id, array_agg(part) AS parts, array_agg(share) AS shares FROM shared GROUP BY 1
      )
      SELECT top.fingerprint, top.group_id AS "groupId", top.count, top.severity, parts.parts, parts.shares,
        coalesce(left(newest.message, ${LABEL_CHARACTERS}), g.title) AS label
      FROM top JOIN parts USING (group_id) JOIN groups AS g ON g.id = top.group_id LEFT JOIN LATERAL (
        SELECT message FROM events
        WHERE organization_id = $1 AND ${LIVE_PROJECTS} AND fingerprint = g.fingerprint
          ${range.projectId === null ? '' : `AND project_id = ${bind(values, range.projectId)}`}
          AND id >= ${bind(values, uuidLowerBound(range.afterMs + 1))} AND id < ${bind(values, uuidLowerBound(range.beforeMs))}
        ORDER BY id DESC LIMIT 1
      ) AS newest ON true
      ORDER BY top.count DESC, top.fingerprint`,
    values,
  );
  const isWhole = range.afterMs === conditions.afterMs && range.beforeMs === conditions.beforeMs;
  return { values: rows.map((row) => toShares(row, query)), scan: null, range: isWhole ? null : range };
}

function toShares(
  { fingerprint, groupId, count, label, severity, parts, shares }: TopGroupRow,
  query: TopQuery,
): TopShares {
  const whole = Array.from({ length: query.parts }, () => 0);
  for (const [index, part] of parts.entries()) whole[part] = (whole[part] ?? 0) + (shares[index] ?? 0);
  const more = `and more (${count} ${count === 1 ? 'event' : 'events'})`;
  return { value: fingerprint, label: fingerprint === null ? more : label, groupId, severity, shares: whole };
}

/** Rounded to whole hours where no minutes are kept any more. */
function toCountedRange(conditions: BoundedConditions, nowMs: number): BoundedConditions {
  const minutesFromMs = Math.floor((nowMs - MINUTES_KEPT_MS) / HOUR_MS) * HOUR_MS;
  const { afterMs, beforeMs } = conditions;
  return {
    ...conditions,
    afterMs: afterMs + 1 >= minutesFromMs ? afterMs : Math.ceil((afterMs + 1) / HOUR_MS) * HOUR_MS - 1,
    beforeMs: beforeMs >= minutesFromMs ? beforeMs : Math.floor(beforeMs / HOUR_MS) * HOUR_MS,
  };
}

/** Counts of groups with their severity: of whole minutes and hours, and the events of partial minutes. */
function cellsOf(range: BoundedConditions, values: unknown[]): string {
  const { firstMinuteMs, endMinuteMs } = wholeMinutes(range);
  if (firstMinuteMs >= endMinuteMs) return cellsOfEdge(range, range, values);
  const [first, end] = [bind(values, new Date(firstMinuteMs)), bind(values, new Date(endMinuteMs))];
  const projects = [LIVE_PROJECTS];
  if (range.projectId !== null) projects.push(`project_id = ${bind(values, range.projectId)}`);
  const severities = SEVERITIES.filter((severity) => range.severity === null || range.severity === severity);
  const counts = severities.map((severity) => `(${severity}::bigint, '${severity}'::severity)`).join(', ');
  const from = (table: string, time: string, widthMs: number) =>
    `SELECT group_id, (date_part('epoch', ${time}) * 1000)::float8 AS at_ms, ${widthMs}::float8 AS width_ms, each.count, each.severity
      FROM ${table} CROSS JOIN LATERAL (VALUES ${counts}) AS each (count, severity)
      WHERE ${all(projects)} AND ${time} >= ${first} AND ${time} < ${end} AND each.count > 0`;
  return [
    from('group_minutes', 'minute', 60_000),
    from('group_hours', 'hour', HOUR_MS),
    cellsOfEdge(range, { ...range, beforeMs: firstMinuteMs }, values),
    cellsOfEdge(range, { ...range, afterMs: endMinuteMs - 1 }, values),
  ].join(' UNION ALL ');
}

/** From events, for a partial minute at an end of the range; each second of it apart. */
function cellsOfEdge(range: BoundedConditions, edge: BoundedConditions, values: unknown[]): string {
  const where = indexedWhere(edge, values);
  if (range.severity !== null) where.push(`severity = ${bind(values, range.severity)}`);
  return `SELECT coalesce(own.group_id, more.group_id), counted.at_ms, 1::float8, counted.count, counted.severity
    FROM (
      SELECT project_id, fingerprint, (('x0000' || left(id::text, 8) || substr(id::text, 10, 4))::bit(64)::bigint)::float8 AS at_ms,
        count(*) AS count, max(severity) AS severity
      FROM events WHERE ${all(where)} GROUP BY 1, 2, 3
    ) AS counted
    LEFT JOIN group_fingerprints AS own ON own.project_id = counted.project_id AND own.fingerprint = counted.fingerprint
    LEFT JOIN group_fingerprints AS more ON own.group_id IS NULL AND more.project_id = counted.project_id
      AND more.fingerprint = '${MORE_FINGERPRINT}'`;
}

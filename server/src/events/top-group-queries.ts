import type { Queryable } from '../database/database.ts';
import { HOUR_MS } from '../platform/durations.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import { LIVE_PROJECTS } from '../tenancy/projects/queries.ts';
import { findLargestGroups } from './counts/find-largest-groups.ts';
import { findOldestGroupHour, type GroupCountsRequest } from './counts/largest-group-queries.ts';
import { listGroupsOfLargestKinds } from './counts/largest-kind-queries.ts';
import { findRolledHours, rolledGroupHours } from './counts/rolled-hours.ts';
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
 * ends, and by whole hours before it. Where kinds are too many for that, only the newer part of the range is counted.
 */
export async function listTopGroups(
  database: Queryable,
  organizationId: string,
  conditions: BoundedConditions,
  query: TopQuery,
): Promise<Top> {
  const asked = toCountedRange(conditions, query.nowMs);
  if (asked.beforeMs - asked.afterMs <= 1) return { values: [], scan: null, range: asked };
  const counts = await toCountsRequest(database, organizationId, asked, query.nowMs);
  const largest = await findLargestGroups(database, counts, query.limit);
  const range = largest.scan ? { ...asked, afterMs: largest.scan.fromMs - 1 } : asked;
  const counted = largest.scan ? await toCountsRequest(database, organizationId, range, query.nowMs) : counts;
  const groupIds = await listGroupsOfLargestKinds(database, counted, largest.groupIds, query.limit);
  // The parts are those of the whole range.
  const widthMs = (asked.beforeMs - asked.afterMs - 1) / query.parts;
  const values: unknown[] = [organizationId];
  const cells = cellsOf(range, groupIds, values);
  const [fromMs, width] = [asked.afterMs + 1, widthMs].map((number) => `${bind(values, number)}::float8`);
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
  const isWhole = asked.afterMs === conditions.afterMs && asked.beforeMs === conditions.beforeMs;
  const { scan } = largest;
  return { values: rows.map((row) => toShares(row, query)), scan, range: isWhole ? null : asked };
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

function minutesKeptFrom(nowMs: number): number {
  return Math.floor((nowMs - MINUTES_KEPT_MS) / HOUR_MS) * HOUR_MS;
}

/** Rounded to whole hours where no minutes are kept any more. */
function toCountedRange(conditions: BoundedConditions, nowMs: number): BoundedConditions {
  const minutesFromMs = minutesKeptFrom(nowMs);
  const { afterMs, beforeMs } = conditions;
  return {
    ...conditions,
    afterMs: afterMs + 1 >= minutesFromMs ? afterMs : Math.ceil((afterMs + 1) / HOUR_MS) * HOUR_MS - 1,
    beforeMs: beforeMs >= minutesFromMs ? beforeMs : Math.floor(beforeMs / HOUR_MS) * HOUR_MS,
  };
}

/** What counts of the range are read from. */
async function toCountsRequest(
  database: Queryable,
  organizationId: string,
  range: BoundedConditions,
  nowMs: number,
): Promise<GroupCountsRequest> {
  const minutes = wholeMinutes(range);
  const firstMinuteMs = Math.min(minutes.firstMinuteMs, minutes.endMinuteMs);
  const { endMinuteMs } = minutes;
  const hours = await findRolledHours(database, organizationId, { firstMinuteMs, endMinuteMs });
  const rolled = rolledGroupHours(hours, endMinuteMs);
  const projectIds = await listLiveProjects(database, organizationId, range.projectId);
  const oldestMs = await findOldestGroupHour(database, projectIds);
  const movedFromMs = Math.max(Math.ceil(firstMinuteMs / HOUR_MS) * HOUR_MS, oldestMs ?? endMinuteMs);
  const movedEndMs = Math.floor(Math.min(rolled.fromMs, nowMs + HOUR_MS, endMinuteMs) / HOUR_MS) * HOUR_MS;
  return {
    projectIds,
    severity: range.severity,
    firstMinuteMs,
    endMinuteMs,
    moved: { fromMs: Math.min(movedFromMs, movedEndMs), endMs: movedEndMs },
    rolled,
    edges: await countEdges(database, organizationId, range),
  };
}

async function listLiveProjects(
  database: Queryable,
  organizationId: string,
  projectId: string | null,
): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM projects WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR id = $2)`,
    [organizationId, projectId],
  );
  return rows.map(({ id }) => id);
}

/** The events of partial minutes by group. */
async function countEdges(
  database: Queryable,
  organizationId: string,
  range: BoundedConditions,
): Promise<GroupCountsRequest['edges']> {
  const values: unknown[] = [organizationId];
  const edges = edgesOf(range).map((edge) => cellsOfEdge(range, edge, values));
  if (edges.length === 0) return [];
  const { rows } = await database.query<GroupCountsRequest['edges'][number]>(
    `SELECT group_id AS "groupId", sum(count)::bigint AS count FROM (${edges.join(' UNION ALL ')}) AS counted
      WHERE group_id IS NOT NULL GROUP BY 1`,
    values,
  );
  return rows;
}

/** Counts of groups with their severity: of whole minutes and hours, and the events of partial minutes. */
function cellsOf(range: BoundedConditions, groupIds: readonly string[], values: unknown[]): string {
  const { firstMinuteMs, endMinuteMs } = wholeMinutes(range);
  const ids = `${bind(values, groupIds)}::uuid[]`;
  const edges = edgesOf(range).map(
    (edge) => `SELECT * FROM (${cellsOfEdge(range, edge, values)}) AS edge WHERE group_id = ANY (${ids})`,
  );
  const [first, end] = [bind(values, new Date(firstMinuteMs)), bind(values, new Date(endMinuteMs))];
  const severities = SEVERITIES.filter((severity) => range.severity === null || range.severity === severity);
  const counts = severities.map((severity) => `(${severity}::bigint, '${severity}'::severity)`).join(', ');
  const from = (table: string, time: string, widthMs: number) =>
    `SELECT one.id AS group_id, (date_part('epoch', ${time}) * 1000)::float8 AS at_ms, ${widthMs}::float8 AS width_ms, each.count,
        each.severity
      FROM unnest(${ids}) AS one (id) CROSS JOIN LATERAL (
        SELECT * FROM ${table} WHERE group_id = one.id AND ${time} >= ${first} AND ${time} < ${end} OFFSET 0
      ) AS counted CROSS JOIN LATERAL (VALUES ${counts}) AS each (count, severity) WHERE each.count > 0`;
  return [from('group_minutes', 'minute', 60_000), from('group_hours', 'hour', HOUR_MS), ...edges].join(
    ' UNION ALL ',
  );
}

/** The partial minutes at both ends. */
function edgesOf(range: BoundedConditions): BoundedConditions[] {
  const { firstMinuteMs, endMinuteMs } = wholeMinutes(range);
  if (firstMinuteMs >= endMinuteMs) return [range];
  const edges = [
    { ...range, beforeMs: firstMinuteMs },
    { ...range, afterMs: endMinuteMs - 1 },
  ];
  return edges.filter(({ afterMs, beforeMs }) => beforeMs - afterMs > 1);
}

/** From events, for a partial minute at an end of the range; each second of it apart. */
function cellsOfEdge(range: BoundedConditions, edge: BoundedConditions, values: unknown[]): string {
  const where = indexedWhere(edge, values);
  if (range.severity !== null) where.push(`severity = ${bind(values, range.severity)}`);
  return `SELECT coalesce(own.group_id, more.group_id) AS group_id, counted.at_ms, 1::float8 AS width_ms, counted.count,
      counted.severity
    FROM (
      SELECT project_id, fingerprint, (('x0000' || left(id::text, 8) || substr(id::text, 10, 4))::bit(64)::bigint)::float8 AS at_ms,
        count(*) AS count, max(severity) AS severity
      FROM events WHERE ${all(where)} GROUP BY 1, 2, 3
    ) AS counted
    LEFT JOIN group_fingerprints AS own ON own.project_id = counted.project_id AND own.fingerprint = counted.fingerprint
    LEFT JOIN group_fingerprints AS more ON own.group_id IS NULL AND more.project_id = counted.project_id
      AND more.fingerprint = '${MORE_FINGERPRINT}'`;
}

import type { Queryable } from '../../database/database.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { LIVE_PROJECTS } from '../../tenancy/projects/queries.ts';
import { byTheMinute, toCountedRange, toCountsRequest } from '../counts/counts-request.ts';
import { findLargestGroups, type LargestGroups } from '../counts/find-largest-groups.ts';
import { findListedGroups } from '../counts/find-listed-groups.ts';
import { countsOfGroups } from '../counts/group-counts.ts';
import { cellsOfEdges } from '../counts/group-edges-queries.ts';
import { listGroupsOfLargest } from '../counts/groups-of-largest-queries.ts';
import { countOf, type GroupCountsRequest } from '../counts/largest-group-queries.ts';
import { compared, hasKey } from '../event-keys.ts';
import type { BoundedConditions, Top, TopQuery, TopShares } from '../read-types.ts';
import { SEVERITIES } from '../severities.ts';
import type { Severity } from '../severity.ts';
import { bind } from '../where.ts';

const LABEL_CHARACTERS = 300;
/** Minimum length of a part of the range in which hours are as good as minutes. */
const LONG_PART_MS = 4 * HOUR_MS;

/** True if the counts of groups have every column that the conditions refer to. */
export function answerableFromGroups(conditions: BoundedConditions): boolean {
  const { environment, isWatched, type, source, correlationId, fingerprint, group, release } = conditions;
  const { words, pairs, paths, not } = conditions;
  const others = [environment, type, source, correlationId, fingerprint, group, release];
  const lists: { length: number }[] = [words, pairs, paths, ...Object.values(not)];
  return (
    !isWatched && lists.every(({ length }) => length === 0) && others.every((condition) => condition === null)
  );
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
 * The most frequent groups, counted exactly: by the minute within 47 hours, with the events of the partial minutes at both
 * ends, and by whole hours before it. Where groups are too many for that, only the newer part of the range is counted.
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
  const listed = await findListedGroups(database, counts, query.limit);
  const largest: LargestGroups = listed
    ? { groupIds: listed, scan: null }
    : await findLargestGroups(database, counts, query.limit);
  const range = largest.scan ? { ...asked, afterMs: largest.scan.fromMs - 1 } : asked;
  const counted = largest.scan ? await toCountsRequest(database, organizationId, range, query.nowMs) : counts;
  const groupIds =
    listed ?? (await listGroupsOfLargest(database, counted, largest.groupIds, query.limit)).groupIds;
  // The parts are those of the whole range.
  const widthMs = (asked.beforeMs - asked.afterMs - 1) / query.parts;
  const values: unknown[] = [organizationId, groupIds];
  const cells = cellsOf(range, widthMs >= LONG_PART_MS ? counted : byTheMinute(counted), values);
  const [fromMs, width] = [asked.afterMs + 1, widthMs].map((number) => `${bind(values, number)}::float8`);
  const { rows } = await database.query<TopGroupRow>(
    `WITH members AS MATERIALIZED (
        SELECT g.id, head.id AS group_id, CASE WHEN head.number > 0 THEN head.fingerprint END AS fingerprint
        FROM groups AS g JOIN groups AS head ON head.id = coalesce(g.merged_into, g.id) WHERE g.id = ANY ($2::uuid[])
      ), shared AS MATERIALIZED (
        SELECT cells.group_id AS id, part, max(severity) AS severity,
          sum(count * (least(at_ms + width_ms, ${fromMs} + (part + 1) * ${width})
            - greatest(at_ms, ${fromMs} + part * ${width})) / width_ms) AS share
        FROM (${cells}) AS cells CROSS JOIN LATERAL generate_series(
          greatest(floor((at_ms - ${fromMs}) / ${width})::int, 0),
          least(greatest(ceil((at_ms + width_ms - ${fromMs}) / ${width})::int, 1), ${query.parts}) - 1) AS part
        GROUP BY 1, 2
      ), shares AS MATERIALIZED (
        SELECT fingerprint, group_id, part, sum(share) AS share, max(severity) AS severity
        FROM shared JOIN members USING (id) GROUP BY 1, 2, 3
      ), sums AS MATERIALIZED (
        -- Whole: parts share what one minute or hour counts.
        SELECT fingerprint, group_id, round(sum(share)) AS count, max(severity) AS severity FROM shares GROUP BY 1, 2
      ), top AS MATERIALIZED (
        -- Projects may have the same fingerprint: it is one value.
        SELECT fingerprint, (array_agg(group_id ORDER BY count DESC, group_id))[1] AS group_id, sum(count) AS count,
          max(severity) AS severity
        FROM sums GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT ${bind(values, query.limit)}
      ), parts AS (
        SELECT top.group_id, array_agg(part) AS parts, array_agg(share) AS shares
        FROM shares JOIN top ON top.fingerprint IS NOT DISTINCT FROM shares.fingerprint GROUP BY 1
      )
      SELECT top.fingerprint, top.group_id AS "groupId", top.count, top.severity, parts.parts, parts.shares,
        coalesce(left(newest.message, ${LABEL_CHARACTERS}), g.title) AS label
      FROM top JOIN parts USING (group_id) JOIN groups AS g ON g.id = top.group_id LEFT JOIN LATERAL (
        SELECT message FROM events
        WHERE ${hasKey('fingerprint', '$1', 'g.fingerprint')} AND ${compared(LIVE_PROJECTS)}
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

/**
 * Counts of the groups in `$2` with their worst severity: of whole minutes and hours, and the events of partial
 * minutes.
 */
function cellsOf(range: BoundedConditions, request: GroupCountsRequest, values: unknown[]): string {
  const severities = SEVERITIES.filter((severity) => range.severity === null || range.severity === severity);
  const worst = severities
    .toReversed()
    .map((severity) => `WHEN ${severity} > 0 THEN '${severity}'::severity`);
  const counts = countsOfGroups(request, '$2::uuid[]', values).map(
    ({
      rows,
      widthMs,
    }) => `SELECT group_id, (date_part('epoch', at) * 1000)::float8 AS at_ms, ${widthMs}::float8 AS width_ms,
      ${countOf(range)} AS count, CASE ${worst.join(' ')} END AS severity FROM (${rows}) AS counted WHERE ${countOf(range)} > 0`,
  );
  const edges = cellsOfEdges(range, values).map(
    (edge) => `SELECT * FROM (${edge}) AS edge WHERE group_id = ANY ($2::uuid[])`,
  );
  return [...counts, ...edges].join(' UNION ALL ');
}

import type { Queryable } from '../../database/database.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { SEVERITIES } from '../severities.ts';
import type { Severity } from '../severity.ts';
import { bind } from '../where.ts';
import { type RolledHours, staleHours } from './rolled-hours.ts';

/** Sources of the counts of groups. */
export interface GroupCountsRequest {
  /** Live projects of the organization. */
  projectIds: string[];
  /** Null: all severities. */
  severity: Severity | null;
  /** Whole minutes. */
  firstMinuteMs: number;
  endMinuteMs: number;
  /** Whole hours from `group_hours`; the minutes that are not moved there yet are read as well. */
  moved: { fromMs: number; endMs: number };
  /** Whole hours from `group_recent_hours`. */
  rolled: RolledHours;
  /** Further counts, of partial minutes. */
  edges: readonly { groupId: string; count: number }[];
  /** Null: it is for one project, or hours of the range are not listed. */
  lists: FingerprintLists | null;
}

/** Hours whose largest fingerprints are listed, up to few before the end of the range. */
export interface FingerprintLists {
  organizationId: string;
  hours: RolledHours;
}

/** Number of the largest groups in each hour of a project that are candidates for the lower bound. */
const MAX_SCANNED = 10;
const MAX_SCANNED_HOURS = 100;
/** Factor by which more candidates than requested groups are counted in all hours. */
const ADDED_UP = 3;

export function hoursOf({ moved, rolled }: Pick<GroupCountsRequest, 'moved' | 'rolled'>): number {
  return (moved.endMs - moved.fromMs + rolled.endMs - rolled.fromMs) / HOUR_MS;
}

export async function listLiveProjects(
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

/** In milliseconds; null: no minutes were moved to hours yet. */
export async function findOldestGroupHour(
  database: Queryable,
  projectIds: readonly string[],
): Promise<number | null> {
  const { rows } = await database.query<{ oldest: Date | null }>(
    `SELECT min(oldest.hour) AS oldest FROM unnest($1::uuid[]) AS project (id) CROSS JOIN LATERAL (
        SELECT hour FROM group_hours WHERE project_id = project.id ORDER BY hour LIMIT 1
      ) AS oldest`,
    [projectIds],
  );
  return rows[0]?.oldest?.getTime() ?? null;
}

/**
 * Lower bound of the counts of the `place` largest fingerprints: by those that are large in single hours. 0: not
 * known.
 */
export async function findLeastCount(
  database: Queryable,
  request: GroupCountsRequest,
  place: number,
): Promise<number> {
  const values: unknown[] = [request.projectIds];
  const stepHours = Math.ceil((hoursOf(request) * request.projectIds.length) / MAX_SCANNED_HOURS);
  const indexed = indexedCount(request);
  const [first, sums]: string[][] = [[], []];
  for (const { table, fromMs, endMs } of tablesOf(request)) {
    const [from, end] = [fromMs, endMs].map((ms) => `${bind(values, new Date(ms))}::timestamptz`);
    first?.push(`SELECT large.group_id, large.count
      FROM unnest($1::uuid[]) AS project (id)
      CROSS JOIN generate_series(${from}, ${end} - interval '1 hour', interval '${stepHours} hours') AS slot (hour)
      CROSS JOIN LATERAL (
        SELECT group_id, ${countOf(request)} AS count FROM ${table} AS h
        WHERE h.project_id = project.id AND h.hour = slot.hour AND ${indexed} > 0
        ORDER BY ${indexed} DESC LIMIT ${MAX_SCANNED}
      ) AS large`);
    sums?.push(`coalesce((SELECT sum(${countOf(request)}) FROM ${table} AS h
      WHERE h.group_id = first.group_id AND h.hour >= ${from} AND h.hour < ${end}), 0)`);
  }
  if (!first?.length || !sums) return 0;
  const { rows } = await database.query<{ count: number }>(
    `WITH first AS MATERIALIZED (
        SELECT group_id FROM (${first.join(' UNION ALL ')}) AS large
        GROUP BY 1 ORDER BY sum(count) DESC LIMIT ${ADDED_UP * place}
      )
      SELECT sum(counted.count)::bigint AS count FROM (
        SELECT (SELECT head.fingerprint FROM groups AS g JOIN groups AS head ON head.id = coalesce(g.merged_into, g.id)
            WHERE g.id = first.group_id) AS fingerprint,
          ${sums.join(' + ')} AS count
        FROM first
      ) AS counted WHERE fingerprint IS NOT NULL
      GROUP BY fingerprint ORDER BY 1 DESC OFFSET ${bind(values, place - 1)} LIMIT 1`,
    values,
  );
  return rows[0]?.count ?? 0;
}

export interface LargeGroups {
  /** Sorted by the upper bounds of their counts; one more than the limit if there are more. */
  groups: { id: string; atMost: number }[];
  /** Lower bound of the requested fingerprints' counts. */
  least: number;
  /** Set if more rows than allowed would have been read: none of this hour or before it count. */
  edgeHourMs: number | null;
  events: number;
}

/**
 * Groups that may be among the largest: by their counts of hours with at least so many events (few, if events are
 * many), and by all minutes beside these hours.
 */
export async function listLargeGroups(
  database: Queryable,
  request: GroupCountsRequest,
  { place, minCount, maxRows, limit }: { place: number; minCount: number; maxRows: number; limit: number },
): Promise<LargeGroups> {
  const values: unknown[] = [request.projectIds];
  const projects = request.projectIds.length;
  const least = `${bind(values, minCount)}::bigint`;
  const hours = tablesOf(request).map(
    ({ table, fromMs, endMs, without }) => `(
      SELECT h.group_id, h.count, slot.hour FROM generate_series(${bind(values, new Date(endMs - HOUR_MS))}::timestamptz,
          ${bind(values, new Date(fromMs))}::timestamptz, interval '-1 hour') AS slot (hour)
        CROSS JOIN unnest($1::uuid[]) AS project (id) CROSS JOIN LATERAL (
          SELECT group_id, ${countOf(request)} AS count FROM ${table} AS h
          WHERE h.project_id = project.id AND h.hour = slot.hour AND ${indexedCount(request)} > 0
            AND ${indexedCount(request)} >= ${least} AND ${countOf(request)} >= ${least} OFFSET 0
        ) AS h
      WHERE h.count > 0 ${without(values)})`,
  );
  const edges = `SELECT *, NULL::timestamptz AS hour FROM ${edgeCounts(request, values)}`;
  const others = [...minutesOf(request, values), edges].map(
    (rows) => `SELECT group_id, count, 0, hour FROM (${rows} OFFSET 0) AS counted`,
  );
  const { rows } = await database.query<LargeGroups>(
    // Newest first: the limit ends a nested loop over the hours.
    `WITH read AS MATERIALIZED (${hours.length > 0 ? hours.join(' UNION ALL ') : NO_HOURS} LIMIT ${maxRows + 1}
      ), edge AS MATERIALIZED (
        SELECT CASE WHEN count(*) > ${maxRows} THEN min(hour) END AS hour FROM read
      ), seen AS MATERIALIZED (
        SELECT group_id, sum(count)::bigint AS count, sum(slots) AS slots
        FROM (
          SELECT group_id, count, 1 AS slots, hour FROM read UNION ALL ${others.join(' UNION ALL ')}
        ) AS counted
        WHERE group_id IS NOT NULL AND (hour IS NULL OR hour > coalesce((SELECT hour FROM edge), '-infinity'))
        GROUP BY 1
      ), bound AS MATERIALIZED (
        SELECT coalesce((
          SELECT sum(largest.count) FROM (SELECT group_id, count FROM seen ORDER BY count DESC LIMIT ${20 * place * projects}) AS largest
          JOIN groups AS g ON g.id = largest.group_id JOIN groups AS head ON head.id = coalesce(g.merged_into, g.id)
          GROUP BY head.fingerprint ORDER BY 1 DESC OFFSET ${place - 1} LIMIT 1), 0) AS least
      )
      SELECT bound.least::bigint AS least, date_part('epoch', (SELECT hour FROM edge)) * 1000 AS "edgeHourMs",
        (SELECT coalesce(sum(count), 0)::bigint FROM seen) AS events, (
        SELECT coalesce(jsonb_agg(jsonb_build_object('id', group_id, 'atMost', at_most)), '[]') FROM (
          SELECT group_id, count + (${least} - 1) * (${hoursOf(request)} - slots) AS at_most FROM seen
          -- In one of the projects there is as large a part of a fingerprint.
          WHERE count + (${least} - 1) * (${hoursOf(request)} - slots) >= bound.least / ${projects}
          ORDER BY 2 DESC, count DESC, 1 LIMIT ${limit + 1}
        ) AS large
      ) AS groups
      FROM bound`,
    values,
  );
  return rows[0] ?? { groups: [], least: 0, edgeHourMs: null, events: 0 };
}

const NO_HOURS = 'SELECT NULL::uuid AS group_id, 0 AS count, NULL::timestamptz AS hour WHERE false';

/**
 * The groups, and those of fingerprints, with all others that count for the same fingerprints: of other projects, and
 * merged ones. Merged ones are always among them.
 */
export async function listFamilies(
  database: Queryable,
  projectIds: readonly string[],
  { groupIds, fingerprints }: { groupIds: readonly string[]; fingerprints: readonly string[] },
): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `WITH merged AS MATERIALIZED (
        SELECT id, merged_into FROM groups WHERE merged_into IS NOT NULL AND project_id = ANY ($1::uuid[])
      ), heads AS MATERIALIZED (
        SELECT fingerprint FROM groups WHERE id = ANY (ARRAY(
          SELECT coalesce((SELECT merged_into FROM merged WHERE merged.id = large.id), large.id)
          FROM unnest($2::uuid[]) AS large (id)
          UNION SELECT merged_into FROM merged))
        UNION SELECT unnest($3::text[])
      ), same AS (
        SELECT own.group_id AS id FROM heads CROSS JOIN unnest($1::uuid[]) AS project (id) CROSS JOIN LATERAL (
          SELECT group_id FROM group_fingerprints AS f
          WHERE f.project_id = project.id AND f.fingerprint = heads.fingerprint LIMIT 1
        ) AS own
      )
      SELECT id FROM same UNION SELECT id FROM merged UNION SELECT unnest($2::uuid[])`,
    [projectIds, groupIds, fingerprints],
  );
  return rows.map(({ id }) => id);
}

interface HourTable {
  table: 'group_hours' | 'group_recent_hours';
  fromMs: number;
  endMs: number;
  /** A condition on `project` and `slot`. */
  without: (values: unknown[]) => string;
}

/** The newest first. */
export function tablesOf({ moved, rolled }: GroupCountsRequest): HourTable[] {
  const tables: HourTable[] = [
    {
      table: 'group_recent_hours',
      ...rolled,
      without: (values) =>
        rolled.stale.length === 0
          ? ''
          : `AND (project.id, slot.hour) NOT IN (SELECT * FROM ${staleHours(rolled, values)})`,
    },
    { table: 'group_hours', ...moved, without: () => '' },
  ];
  return tables.filter(({ fromMs, endMs }) => fromMs < endMs);
}

/** Minutes that no hour is read for. Those of the newest, which are always counted, have no hour. */
function minutesOf(request: GroupCountsRequest, values: unknown[]): string[] {
  const { firstMinuteMs, endMinuteMs, rolled } = request;
  const time = (ms: number) => `${bind(values, new Date(ms))}::timestamptz`;
  const read = (
    hour: string,
    where: string,
  ) => `SELECT group_id, sum(${countOf(request)}) AS count, ${hour} AS hour
    FROM group_minutes WHERE project_id = ANY ($1::uuid[]) AND ${where} GROUP BY 1, 3`;
  const parts: string[] = [];
  const isRolled = rolled.fromMs < rolled.endMs;
  const fromMs = isRolled ? rolled.fromMs : endMinuteMs;
  if (fromMs > firstMinuteMs)
    parts.push(read(HOUR, `minute >= ${time(firstMinuteMs)} AND minute < ${time(fromMs)}`));
  if (isRolled && rolled.endMs < endMinuteMs)
    parts.push(
      read('NULL::timestamptz', `minute >= ${time(rolled.endMs)} AND minute < ${time(endMinuteMs)}`),
    );
  if (rolled.stale.length > 0)
    parts.push(`SELECT group_id, sum(${countOf(request)}) AS count, stale.hour
      FROM ${staleHours(rolled, values)} CROSS JOIN LATERAL (
        SELECT * FROM group_minutes AS m
        WHERE m.project_id = stale.project_id AND minute >= stale.hour AND minute < stale.hour + interval '1 hour' OFFSET 0
      ) AS counted WHERE stale.project_id = ANY ($1::uuid[]) GROUP BY 1, 3`);
  return parts;
}

const HOUR = "date_trunc('hour', minute, 'UTC')";

/** The further counts of a request as a table. */
export function edgeCounts({ edges }: Pick<GroupCountsRequest, 'edges'>, values: unknown[]): string {
  const groupIds = bind(
    values,
    edges.map(({ groupId }) => groupId),
  );
  const counts = bind(
    values,
    edges.map(({ count }) => count),
  );
  return `unnest(${groupIds}::uuid[], ${counts}::bigint[]) AS edge (group_id, count)`;
}

export function countOf({ severity }: Pick<GroupCountsRequest, 'severity'>): string {
  return severity === null ? `(${SEVERITIES.join(' + ')})` : severity;
}

/**
 * Column that an index has in the order of size, for each hour of a project: most events are infos, the other
 * severities are rare.
 */
function indexedCount({ severity }: Pick<GroupCountsRequest, 'severity'>): string {
  return countOf({ severity: severity === 'info' ? null : severity });
}

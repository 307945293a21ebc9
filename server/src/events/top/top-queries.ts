import type { Queryable } from '../../database/database.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { wholeMinutes } from '../conditions.ts';
import { countsByPart, QUARTER_MS } from '../counts/count-parts.ts';
import { findRolledHours, noRolledHours, type RolledHours } from '../counts/rolled-hours.ts';
import { eventCount } from '../event-count.ts';
import { byPairs, isRareByPairs, MAX_BY_PAIRS } from '../pair-queries.ts';
import type { BoundedConditions, Top, TopQuery, TopShares } from '../read-types.ts';
import { NO_SCAN, type ScanRow, scanNewest, toScan } from '../scan-newest.ts';
import type { Severity } from '../severity.ts';
import {
  all,
  answerableFromCounts,
  bind,
  filterWhere,
  indexedWhere,
  maxScanned,
  minutesOf,
} from '../where.ts';
import { answerableFromGroups, listTopGroups } from './top-group-queries.ts';

/** Maximum newest events that are counted one by one without a filter: the overview polls this. */
const MAX_COUNTED_EVENTS = 20_000;
const LABEL_CHARACTERS = 300;
/** Minimum length of a part in which an hour is as short as a quarter of an hour in shorter ones. */
const LONG_PART_MS = 4 * HOUR_MS;

interface TopRow {
  value: string | null;
  label: string | null;
  severity: Severity;
  parts: number[];
  shares: number[];
}

export async function listTopValues(
  database: Queryable,
  organizationId: string,
  conditions: BoundedConditions,
  query: TopQuery,
): Promise<Top> {
  if (query.by === 'fingerprint' && answerableFromGroups(conditions))
    return listTopGroups(database, organizationId, conditions, query);
  const values: unknown[] = [organizationId];
  const tables =
    query.by !== 'fingerprint' && answerableFromCounts(conditions)
      ? `${NO_SCAN}, cells AS (${cellsFromCounts(conditions, query, await rolledHoursOf(database, organizationId, conditions, query), values)})`
      : (await isRareByPairs(database, organizationId, conditions))
        ? cellsFromPairs(conditions, query, values)
        : cellsFromEvents(conditions, query, values);
  return listTopOfCells(database, { tables, values }, query);
}

/** The same from the newest events alone, whatever counts there are: rows in place of the table have no index to find those of a minute. */
export async function listTopOfEvents(
  database: Queryable,
  organizationId: string,
  conditions: BoundedConditions,
  query: TopQuery,
): Promise<Top> {
  const values: unknown[] = [organizationId];
  const where = indexedWhere(conditions, values);
  const filter = filterWhere(conditions, values);
  const newest = `events WHERE ${all(where)} ORDER BY id DESC`;
  const tables = cellsFromScan(conditions, query, { events: newest, filter }, values);
  return listTopOfCells(database, { tables, values }, query);
}

/** @param cells CTEs `scan` and `cells`, with their values */
async function listTopOfCells(
  database: Queryable,
  { tables, values }: { tables: string; values: unknown[] },
  query: TopQuery,
): Promise<Top> {
  const label = query.by === 'fingerprint' ? `left(newest.message, ${LABEL_CHARACTERS})` : 'NULL';
  const { rows } = await database.query<ScanRow & (TopRow | { parts: null })>(
    `WITH ${tables}, top AS (
        SELECT value, max(severity) AS severity, max(newest)::uuid AS newest, sum(share) AS count,
          array_agg(part) AS parts, array_agg(share::float8) AS shares
        FROM cells GROUP BY value ORDER BY sum(share) DESC, value LIMIT ${bind(values, query.limit)}
      )
      SELECT scan.*, top.value, ${label} AS label, top.severity, top.parts, top.shares
      FROM scan LEFT JOIN top ON true LEFT JOIN events AS newest ON newest.id = top.newest
      ORDER BY top.count DESC, top.value`,
    values,
  );
  return {
    values: rows.flatMap((row) => (row.parts === null ? [] : [toShares(row, query)])),
    scan: toScan(rows[0]),
    range: null,
  };
}

function toShares({ value, label, severity, parts, shares }: TopRow, query: TopQuery): TopShares {
  const whole = Array.from({ length: query.parts }, () => 0);
  for (const [index, part] of parts.entries()) whole[part] = (whole[part] ?? 0) + (shares[index] ?? 0);
  return { value, label, groupId: null, severity, shares: whole };
}

/** Rolled hours of a range: in longer parts of it, quarters of an hour are as good as minutes. */
async function rolledHoursOf(
  database: Queryable,
  organizationId: string,
  conditions: BoundedConditions,
  query: TopQuery,
): Promise<RolledHours> {
  const minutes = wholeMinutes(conditions);
  const isLong = widthOf(conditions, query) >= QUARTER_MS && minutes.firstMinuteMs < minutes.endMinuteMs;
  return isLong ? findRolledHours(database, organizationId, minutes) : noRolledHours(minutes);
}

/** Cells from the newest events; for a series, from the minutes that have any of it. */
function cellsFromEvents(conditions: BoundedConditions, query: TopQuery, values: unknown[]): string {
  const where = indexedWhere(conditions, values);
  const filter = filterWhere(conditions, values);
  const newest = `events WHERE ${all(where)} ORDER BY id DESC`;
  const events =
    answerableFromCounts(conditions) && filter.length > 0
      ? `${minutesOf(conditions, { cursor: null, limit: null }, values)} CROSS JOIN LATERAL (
            SELECT * FROM events WHERE ${all(where)} AND id >= minutes.first_id AND id < minutes.end_id
            ORDER BY id DESC
          ) AS event`
      : newest;
  return cellsFromScan(conditions, query, { events, filter }, values);
}

function cellsFromScan(
  conditions: BoundedConditions,
  query: TopQuery,
  { events, filter }: { events: string; filter: string[] },
  values: unknown[],
): string {
  const scan = scanNewest({
    columns: `${query.by} AS value, ${partOf(conditions, query, values)} AS part, weight`,
    events,
    filter,
    limit: filter.length > 0 ? maxScanned(conditions) : MAX_COUNTED_EVENTS,
  });
  return `${scan}, ${CELLS}`;
}

/** Cells from the events with rare values of a correlation. */
function cellsFromPairs(conditions: BoundedConditions, query: TopQuery, values: unknown[]): string {
  const where = indexedWhere(conditions, values);
  const scan = scanNewest({
    columns: `${query.by} AS value, ${partOf(conditions, query, values)} AS part, weight`,
    events: `${byPairs(conditions, where, values)} ORDER BY id DESC`,
    filter: [],
    limit: MAX_BY_PAIRS,
  });
  return `${scan}, ${CELLS}`;
}

const CELLS = `cells AS (
      SELECT value, part, ${eventCount()}::float8 AS share, max(severity) AS severity, max(id::text COLLATE "C") AS newest
      FROM scanned WHERE found GROUP BY 1, 2
    )`;

/**
 * Cells from counts. A minute that spans several parts of the range is distributed among them, as if its events were
 * spread evenly; so is a quarter of an hour if the parts are longer, and an hour if they are hours long.
 */
function cellsFromCounts(
  conditions: BoundedConditions,
  query: TopQuery,
  rolled: RolledHours,
  values: unknown[],
): string {
  const minutes = wholeMinutes(conditions);
  const { firstMinuteMs, endMinuteMs } = minutes;
  if (firstMinuteMs >= endMinuteMs) return cellsOfEdge(conditions, query, conditions, values);
  const [fromMs, widthMs] = [conditions.afterMs + 1, widthOf(conditions, query)].map(
    (number) => `${bind(values, number)}::float8`,
  );
  const counts = countsByPart(
    conditions,
    {
      ...minutes,
      rolled,
      isByHour: widthOf(conditions, query) >= LONG_PART_MS,
      isBySeverity: false,
      columns: `${query.by} AS value, start_ms, width_ms, sum(count)::float8 AS count, max(severity) AS severity`,
      groupBy: '1, 2, 3',
    },
    values,
  );
  const whole = `SELECT value, part, count * (least(start_ms + width_ms, ${fromMs} + (part + 1) * ${widthMs})
        - greatest(start_ms, ${fromMs} + part * ${widthMs})) / width_ms AS share, severity, NULL AS newest
    FROM (${counts}) AS counted CROSS JOIN LATERAL generate_series(floor((start_ms - ${fromMs}) / ${widthMs})::int,
      least(ceil((start_ms + width_ms - ${fromMs}) / ${widthMs})::int, ${query.parts}) - 1) AS part`;
  const edges = [
    { ...conditions, beforeMs: firstMinuteMs },
    { ...conditions, afterMs: endMinuteMs - 1 },
  ];
  return [whole, ...edges.map((edge) => cellsOfEdge(conditions, query, edge, values))].join(' UNION ALL ');
}

/** Cells from events, for a partial minute at an end of the range. */
function cellsOfEdge(
  conditions: BoundedConditions,
  query: TopQuery,
  edge: BoundedConditions,
  values: unknown[],
): string {
  return `SELECT ${query.by} AS value, ${partOf(conditions, query, values)} AS part, ${eventCount()}::float8 AS share,
      max(severity) AS severity, NULL AS newest
    FROM events WHERE ${all([...indexedWhere(edge, values), ...filterWhere(edge, values)])} GROUP BY 1, 2`;
}

/** The part of the range that an event lies in, from 0 on. */
function partOf(conditions: BoundedConditions, query: TopQuery, values: unknown[]): string {
  const bounds = Array.from({ length: query.parts - 1 }, (_, index) =>
    uuidLowerBound(Math.ceil(conditions.afterMs + 1 + (index + 1) * widthOf(conditions, query))),
  );
  return `width_bucket(id, ${bind(values, bounds)}::uuid[])`;
}

function widthOf({ afterMs, beforeMs }: BoundedConditions, { parts }: TopQuery): number {
  return (beforeMs - afterMs - 1) / parts;
}

import type { Pool } from '../platform/database.ts';
import { uuidTime } from '../platform/ids.ts';
import { LIVE_PROJECTS } from '../projects/queries.ts';
import { countByBucket } from './histogram-queries.ts';
import type { EventConditions, EventPage, EventReader } from './reader.ts';
import type { EventRow } from './schema.ts';
import { listTopValues } from './top-queries.ts';
import { all, bind, indexedWhere, isCounted, maxLookedThrough, minutesOf, soughtWhere } from './where.ts';

/** The columns of `events` as an `EventRow`. */
export const EVENT_COLUMNS = `id, organization_id AS "organizationId", project_id AS "projectId", received_at AS "receivedAt",
  severity, type, source, message, correlation_id AS "correlationId", fingerprint, release, correlation, payload`;

/** The event store in PostgreSQL. */
export function createEventReader(pool: Pool): EventReader {
  return {
    list: (organizationId, conditions, page) => listEvents(pool, organizationId, conditions, page),
    find: (organizationId, eventId) => findEvent(pool, organizationId, eventId),
    histogram: (organizationId, conditions, intervalMs) =>
      countByBucket(pool, organizationId, conditions, intervalMs),
    top: (organizationId, conditions, query) => listTopValues(pool, organizationId, conditions, query),
  };
}

async function findEvent(pool: Pool, organizationId: string, eventId: string): Promise<EventRow | null> {
  const { rows } = await pool.query<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE organization_id = $1 AND id = $2 AND ${LIVE_PROJECTS}`,
    [organizationId, eventId],
  );
  return rows[0] ?? null;
}

interface Page {
  cursor: string | null;
  limit: number;
}

async function listEvents(
  pool: Pool,
  organizationId: string,
  conditions: EventConditions,
  page: Page,
): Promise<EventPage> {
  if (soughtWhere(conditions, []).length === 0)
    return toPage(await listNewest(pool, organizationId, conditions, page), page.limit);
  if (!isCounted(conditions))
    return findAmongNewest(pool, organizationId, conditions, page, maxLookedThrough(conditions));
  // What is frequent fills its page from these. For what is rare the counts tell where it is, at less cost.
  const newest = await findAmongNewest(pool, organizationId, conditions, page, FIRST_LOOKED_THROUGH);
  if (newest.rows.length === page.limit || newest.next === null) return newest;
  return toPage(await listFromMinutes(pool, organizationId, conditions, page), page.limit);
}

const FIRST_LOOKED_THROUGH = 20_000;

/** @param rows one more than the page holds, where there are more */
function toPage(rows: EventRow[], limit: number): EventPage {
  return {
    rows: rows.slice(0, limit),
    next: (rows.length > limit && rows[limit - 1]?.id) || null,
    scan: null,
  };
}

async function listNewest(
  pool: Pool,
  organizationId: string,
  conditions: EventConditions,
  page: Page,
): Promise<EventRow[]> {
  const values: unknown[] = [organizationId];
  const { rows } = await pool.query<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE ${all(newestWhere(conditions, page, values))}
      ORDER BY id DESC LIMIT ${bind(values, page.limit + 1)}`,
    values,
  );
  return rows;
}

/** Where the look ends before the page is full, the next page begins there. */
async function findAmongNewest(
  pool: Pool,
  organizationId: string,
  conditions: EventConditions,
  page: Page,
  lookedThrough: number,
): Promise<EventPage> {
  const values: unknown[] = [organizationId];
  const newest = all(newestWhere(conditions, page, values));
  const { rows } = await pool.query<EventRow & { found: boolean; last: boolean }>(
    `SELECT ${EVENT_COLUMNS}, found, last FROM (
        SELECT *, ${all(soughtWhere(conditions, values))} AS found,
          row_number() OVER (ORDER BY id DESC) = ${lookedThrough} AS last
        FROM events WHERE ${newest} ORDER BY id DESC LIMIT ${lookedThrough}
      ) AS looked_through
      WHERE found OR last ORDER BY id DESC LIMIT ${bind(values, page.limit + 1)}`,
    values,
  );
  const found = rows.filter((row) => row.found);
  if (found.length > page.limit) return toPage(found, page.limit);
  const last = rows.find((row) => row.last)?.id ?? null;
  return {
    rows: found,
    next: last,
    scan: last ? { fromMs: uuidTime(last) + 1, events: lookedThrough } : null,
  };
}

/** The page of a series that is rare: only the minutes that hold any of it are read. */
async function listFromMinutes(
  pool: Pool,
  organizationId: string,
  conditions: EventConditions,
  page: Page,
): Promise<EventRow[]> {
  const values: unknown[] = [organizationId];
  // Each minute holds one event at least, but the first may have it after the cursor or the end.
  const minutes = minutesOf(conditions, page.cursor, page.limit + 2, values);
  const { rows } = await pool.query<EventRow>(
    `SELECT event.* FROM ${minutes} CROSS JOIN LATERAL (
        SELECT ${EVENT_COLUMNS} FROM events
        WHERE ${all([...newestWhere(conditions, page, values), ...soughtWhere(conditions, values)])}
          AND id >= minutes.first_id AND id < minutes.end_id
        ORDER BY id DESC
      ) AS event ORDER BY id DESC LIMIT ${bind(values, page.limit + 1)}`,
    values,
  );
  return rows;
}

function newestWhere(conditions: EventConditions, { cursor }: Page, values: unknown[]): string[] {
  const where = indexedWhere(conditions, values);
  if (cursor) where.push(`id < ${bind(values, cursor)}`);
  return where;
}

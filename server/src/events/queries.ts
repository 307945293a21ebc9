import type { Pool } from '../platform/database.ts';
import { LIVE_PROJECTS } from '../projects/queries.ts';
import { countByBucket } from './histogram-queries.ts';
import { EVENT_COLUMNS, readEventPage } from './page-queries.ts';
import type { EventConditions, EventPage, EventReader, PageRequest } from './reader.ts';
import type { EventRow } from './schema.ts';
import { listTopValues } from './top-queries.ts';
import { all, bind, indexedWhere, isCounted, maxLookedThrough, minutesOf, soughtWhere } from './where.ts';

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

/** Looked through first for what the counts know: what is frequent fills its page from these. */
const FIRST_LOOKED_THROUGH = 20_000;

async function listEvents(
  pool: Pool,
  organizationId: string,
  conditions: EventConditions,
  page: PageRequest,
): Promise<EventPage> {
  const isSought = soughtWhere(conditions, []).length > 0;
  if (!isSought) return listNewest(pool, organizationId, conditions, page, null);
  if (!isCounted(conditions))
    return listNewest(pool, organizationId, conditions, page, maxLookedThrough(conditions));
  // For what is rare the counts tell where it is, at less cost.
  const newest = await listNewest(pool, organizationId, conditions, page, FIRST_LOOKED_THROUGH);
  return newest.scan === null ? newest : listFromMinutes(pool, organizationId, conditions, page);
}

async function listNewest(
  pool: Pool,
  organizationId: string,
  conditions: EventConditions,
  page: PageRequest,
  lookLimit: number | null,
): Promise<EventPage> {
  const values: unknown[] = [organizationId];
  const events = `events WHERE ${all(newestWhere(conditions, page, values))} ORDER BY id DESC`;
  const sought = soughtWhere(conditions, values);
  return readEventPage(pool, { events, sought, limit: lookLimit }, page, values);
}

/** The page of a series that is rare: only the minutes that hold any of it are read. */
async function listFromMinutes(
  pool: Pool,
  organizationId: string,
  conditions: EventConditions,
  page: PageRequest,
): Promise<EventPage> {
  const values: unknown[] = [organizationId];
  // Each minute holds one event at least, but the first may have it after the cursor or the end.
  const minutes = minutesOf(conditions, page.cursor, page.limit + 2, values);
  const events = `${minutes} CROSS JOIN LATERAL (
      SELECT * FROM events WHERE ${all(newestWhere(conditions, page, values))}
        AND id >= minutes.first_id AND id < minutes.end_id
      ORDER BY id DESC
    ) AS event`;
  const sought = soughtWhere(conditions, values);
  return readEventPage(pool, { events, sought, limit: maxLookedThrough(conditions) }, page, values);
}

function newestWhere(conditions: EventConditions, { cursor }: PageRequest, values: unknown[]): string[] {
  const where = indexedWhere(conditions, values);
  if (cursor) where.push(`id < ${bind(values, cursor)}`);
  return where;
}

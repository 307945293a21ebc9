import type { Pool, Queryable } from '../database/database.ts';
import type { ExpensiveReads } from '../database/expensive-reads.ts';
import { LIVE_PROJECTS } from '../tenancy/projects/queries.ts';
import { describeRange } from './describe-range.ts';
import { countByBucket } from './histogram-queries.ts';
import { EVENT_COLUMNS, findEventPage } from './page-queries.ts';
import type { EventConditions, EventPage, EventReader, PageRequest } from './reader.ts';
import type { EventRow } from './schema.ts';
import { listTopValues } from './top-queries.ts';
import { all, bind, indexedWhere, isCounted, maxLookedThrough, minutesOf, soughtWhere } from './where.ts';

/** The event store in PostgreSQL. What looks through many events or counts waits for a place. */
export function createEventReader(pool: Pool, reads: ExpensiveReads): EventReader {
  const read = <T>(
    organizationId: string,
    conditions: EventConditions,
    signal: AbortSignal,
    work: (database: Queryable) => Promise<T>,
  ) => reads.run({ organizationId, signal, subject: describeRange(conditions) }, work);
  return {
    list: (organizationId, conditions, page, signal) =>
      isIndexed(conditions)
        ? listNewest(pool, organizationId, conditions, page, null)
        : read(organizationId, conditions, signal, (database) =>
            findEvents(database, organizationId, conditions, page),
          ),
    find: (organizationId, eventId) => findEvent(pool, organizationId, eventId),
    histogram: (organizationId, conditions, intervalMs, signal) =>
      read(organizationId, conditions, signal, (database) =>
        countByBucket(database, organizationId, conditions, intervalMs),
      ),
    top: (organizationId, conditions, query, signal) =>
      read(organizationId, conditions, signal, (database) =>
        listTopValues(database, organizationId, conditions, query),
      ),
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

/** Whether an index leads to all that is asked for. */
function isIndexed(conditions: EventConditions): boolean {
  return soughtWhere(conditions, []).length === 0;
}

async function findEvents(
  database: Queryable,
  organizationId: string,
  conditions: EventConditions,
  page: PageRequest,
): Promise<EventPage> {
  if (!isCounted(conditions))
    return listNewest(database, organizationId, conditions, page, maxLookedThrough(conditions));
  // For what is rare the counts tell where it is, at less cost.
  const newest = await listNewest(database, organizationId, conditions, page, FIRST_LOOKED_THROUGH);
  return newest.scan === null ? newest : listFromMinutes(database, organizationId, conditions, page);
}

async function listNewest(
  database: Queryable,
  organizationId: string,
  conditions: EventConditions,
  page: PageRequest,
  lookLimit: number | null,
): Promise<EventPage> {
  const values: unknown[] = [organizationId];
  const events = `events WHERE ${all(newestWhere(conditions, page, values))} ORDER BY id DESC`;
  const sought = soughtWhere(conditions, values);
  return findEventPage(database, { events, sought, limit: lookLimit }, page, values);
}

/** The page of a series that is rare: only the minutes that hold any of it are read. */
async function listFromMinutes(
  database: Queryable,
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
  return findEventPage(database, { events, sought, limit: maxLookedThrough(conditions) }, page, values);
}

function newestWhere(conditions: EventConditions, { cursor }: PageRequest, values: unknown[]): string[] {
  const where = indexedWhere(conditions, values);
  if (cursor) where.push(`id < ${bind(values, cursor)}`);
  return where;
}

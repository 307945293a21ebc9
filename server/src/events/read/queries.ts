import type { Pool, Queryable } from '../../database/database.ts';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import { LIVE_PROJECTS } from '../../tenancy/projects/queries.ts';
import { heldMinutes, toHeldRequest } from '../counts/held-minutes.ts';
import type { EventRow } from '../event-row.ts';
import { findGroupFingerprints } from '../group-queries.ts';
import { eventColumns, findEventPage } from '../page-queries.ts';
import { byPairs, countCorrelationKeys, isRareByPairs, MAX_BY_PAIRS } from '../pair-queries.ts';
import type { EventConditions, EventPage, PageRequest } from '../read-types.ts';
import type { EventReader } from '../reader.ts';
import { countedPartOf } from '../series-condition.ts';
import { listTopValues } from '../top/top-queries.ts';
import { all, answerableFromCounts, bind, filterWhere, indexedWhere, maxListed } from '../where.ts';
import { describeRange } from './describe-range.ts';
import { eventsOn } from './events-on.ts';
import { EVENTS_OF_GROUP, listEventsOfGroup } from './group-page-queries.ts';
import { countByBucket } from './histogram-queries.ts';

/**
 * The event store in PostgreSQL. Reads that scan many events or counts wait for a slot.
 * @param findIncident function of the incidents, which depend on this folder
 */
export function createEventReader(
  pool: Pool,
  reads: ExpensiveReads,
  findIncident: EventReader['findIncident'],
): EventReader {
  const read = <T>(
    organizationId: string,
    conditions: EventConditions,
    signal: AbortSignal,
    work: (database: Queryable) => Promise<T>,
  ) => reads.run({ organizationId, signal, subject: describeRange(conditions) }, work);
  return {
    list: (organizationId, conditions, page, signal) =>
      isIndexed(conditions)
        ? listNewest(pool, organizationId, conditions, { ...page, scanLimit: null })
        : read(organizationId, conditions, signal, (database) =>
            findEvents(database, organizationId, conditions, page),
          ),
    listOfGroup: (organizationId, group, page, signal) =>
      group.number === 0
        ? reads.run({ organizationId, signal, subject: EVENTS_OF_GROUP }, (database) =>
            listEventsOfGroup(database, organizationId, group, page),
          )
        : listEventsOfGroup(pool, organizationId, group, page),
    find: (organizationId, eventId) => findEvent(pool, organizationId, eventId),
    findGroup: (organizationId, groupId) => findGroupFingerprints(pool, organizationId, groupId),
    findIncident,
    histogram: (organizationId, conditions, intervalMs, signal) =>
      read(organizationId, conditions, signal, (database) =>
        countByBucket(database, organizationId, conditions, intervalMs),
      ),
    correlationKeys: (organizationId, conditions, value, signal) =>
      read(organizationId, conditions, signal, (database) =>
        countCorrelationKeys(database, organizationId, conditions, value),
      ),
    on: eventsOn,
    top: (organizationId, conditions, query, signal) =>
      read(organizationId, conditions, signal, (database) =>
        listTopValues(database, organizationId, conditions, query),
      ),
  };
}

export async function findEvent(
  database: Queryable,
  organizationId: string,
  eventId: string,
): Promise<EventRow | null> {
  const { rows } = await database.query<EventRow>(
    `SELECT ${eventColumns('events')} FROM events WHERE organization_id = $1 AND id = $2 AND ${LIVE_PROJECTS}`,
    [organizationId, eventId],
  );
  return rows[0] ?? null;
}

/**
 * Events that are scanned first, for each event of the page, even if the counts could answer: frequent series fill
 * their page from these.
 */
const FIRST_SCANNED = 100;
const MAX_FIRST_SCANNED = 20_000;
/** Maximum events that are scanned in the minutes of a rare series. */
const MAX_OF_MINUTES = 100_000;

/** True if an index serves all conditions. */
function isIndexed(conditions: EventConditions): boolean {
  // No index has the events of several fingerprints in the order of time.
  const isOrdered = (conditions.group?.fingerprints?.length ?? 1) <= 1;
  return isOrdered && filterWhere(conditions, []).length === 0;
}

async function findEvents(
  database: Queryable,
  organizationId: string,
  conditions: EventConditions,
  page: PageRequest,
): Promise<EventPage> {
  if (await isRareByPairs(database, organizationId, conditions))
    return listByPairs(database, organizationId, conditions, page);
  const counted = countedPart(conditions);
  if (!answerableFromCounts(counted) || page.order === 'asc')
    return listNewest(database, organizationId, conditions, { ...page, scanLimit: maxListed(conditions) });
  // The counts locate a rare series at less cost.
  const newest = await listNewest(database, organizationId, conditions, {
    ...page,
    scanLimit: Math.min(MAX_FIRST_SCANNED, FIRST_SCANNED * page.limit),
  });
  return newest.scan === null
    ? newest
    : listFromMinutes(database, organizationId, { conditions, counted }, page);
}

/** Returns weaker conditions that counts can answer: all of the events meet them, and others may. */
function countedPart(conditions: EventConditions): EventConditions {
  const { series, type, severity, source } = conditions;
  if (!series) return conditions;
  const part = countedPartOf(series);
  return {
    ...conditions,
    series: null,
    type: type ?? part.type,
    severity: severity ?? part.severity,
    source: source ?? part.source,
  };
}

async function listNewest(
  database: Queryable,
  organizationId: string,
  conditions: EventConditions,
  { scanLimit, ...page }: PageRequest & { scanLimit: number | null },
): Promise<EventPage> {
  const values: unknown[] = [organizationId];
  const events = `events WHERE ${all(pageWhere(conditions, page, values))} ORDER BY id ${page.order ?? 'desc'}`;
  const filter = filterWhere(conditions, values);
  return findEventPage(database, { events, filter, limit: scanLimit }, page, values);
}

/** A page of few events, which are all read. */
export async function listAll(
  database: Queryable,
  organizationId: string,
  conditions: EventConditions,
  page: PageRequest,
): Promise<EventPage> {
  const values: unknown[] = [organizationId];
  const where = [...pageWhere(conditions, page, values), ...filterWhere(conditions, values)];
  const events = `(SELECT * FROM events WHERE ${all(where)}) AS event ORDER BY id ${page.order ?? 'desc'}`;
  return findEventPage(database, { events, filter: [], limit: null }, page, values);
}

/** The page of rare values of a correlation, which their index finds. */
async function listByPairs(
  database: Queryable,
  organizationId: string,
  conditions: EventConditions,
  page: PageRequest,
): Promise<EventPage> {
  const values: unknown[] = [organizationId];
  const where = pageWhere(conditions, page, values);
  const events = `${byPairs(conditions, where, values)} ORDER BY id ${page.order ?? 'desc'}`;
  return findEventPage(database, { events, filter: [], limit: MAX_BY_PAIRS }, page, values);
}

/** The page of a rare series: only the minutes that have any of it are read. */
async function listFromMinutes(
  database: Queryable,
  organizationId: string,
  { conditions, counted }: { conditions: EventConditions; counted: EventConditions },
  page: PageRequest,
): Promise<EventPage> {
  const values: unknown[] = [organizationId];
  // Events of the first minute may be after the cursor or the end, and a page reads one event more than it lists.
  const wanted = { cursor: page.cursor, events: page.limit + 2 };
  const held = await toHeldRequest(database, organizationId, counted, wanted);
  const minutes = heldMinutes(counted, held, values);
  const events = `${minutes} CROSS JOIN LATERAL (
      SELECT * FROM events WHERE ${all(pageWhere(conditions, page, values))}
        AND events.project_id = ANY (minutes.project_ids) AND id >= minutes.first_id AND id < minutes.end_id
      ORDER BY id DESC
    ) AS events`;
  const filter = filterWhere(conditions, values);
  return findEventPage(database, { events, filter, limit: MAX_OF_MINUTES }, page, values);
}

function pageWhere(conditions: EventConditions, { cursor, order }: PageRequest, values: unknown[]): string[] {
  const where = indexedWhere(conditions, values);
  if (cursor) where.push(`id ${order === 'asc' ? '>' : '<'} ${bind(values, cursor)}`);
  return where;
}

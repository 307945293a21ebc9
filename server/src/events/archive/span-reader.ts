import type { Pool, Queryable } from '../../database/database.ts';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import type { Clock } from '../../platform/clock.ts';
import { uuidTime } from '../../platform/ids.ts';
import type { EventRow } from '../event-row.ts';
import { findGroupFingerprints } from '../group-queries.ts';
import { countCorrelationKeys } from '../pair-queries.ts';
import { describeRange } from '../read/describe-range.ts';
import { EVENTS_OF_GROUP, listEventsOfGroup } from '../read/group-page-queries.ts';
import { countByBucket } from '../read/histogram-queries.ts';
import { findEvent, listAll } from '../read/queries.ts';
import type { EventConditions, EventPage, GroupPlace, PageRequest } from '../read-types.ts';
import type { EventReader } from '../reader.ts';
import { listTopValues } from '../top/top-queries.ts';
import { RememberedArchive } from './archive-memory.ts';
import {
  type ArchiveReading,
  findArchivedRange,
  findHeldRange,
  limitsOf,
  orUnavailable,
  untilWhole,
  whileAtRest,
} from './archive-reads.ts';
import { archivedId } from './archive-where.ts';
import { listArchivedRows } from './archived-row-queries.ts';
import type { EventArchive } from './event-archive.ts';
import { findArchivedUntil } from './known-value-queries.ts';
import { isNeverArchived, newestReads } from './newest-reads.ts';
import { NO_CONDITIONS } from './no-conditions.ts';
import { overRows } from './over-rows.ts';
import { spanHistogram, spanKeys, spanTop } from './span-counts.ts';
import { extendPage } from './span-page.ts';

interface SpanDependencies {
  pool: Pool;
  reads: ExpensiveReads;
  archive: EventArchive;
  clock: Clock;
}

/**
 * Reads of the newest events in PostgreSQL and of the old ones in the archive, as if all were in one table: pages, events by their id,
 * and what is counted event by event. The other reads are those of PostgreSQL: what counts answer, and what concerns alarms; those
 * of older events say from when on they are complete.
 * The archive is asked only for a page that PostgreSQL does not fill, or a range that goes below what it holds; a range of the last
 * days costs no statement more.
 */
export function createSpanReader(
  { pool, reads, clock, ...dependencies }: SpanDependencies,
  newest: EventReader,
): EventReader {
  const archive = new RememberedArchive(dependencies.archive);
  /** Ends what it asks of the archive with its turn among the expensive reads. */
  const read = <T>(
    asked: { organizationId: string; signal: AbortSignal; subject: string },
    work: (database: Queryable, reading: ArchiveReading) => Promise<T>,
  ) =>
    reads.run(asked, (database, signal) =>
      work(database, { archive, organizationId: asked.organizationId, signal }),
    );
  const isNew = ({ afterMs }: EventConditions) => afterMs !== null && isNeverArchived(afterMs, clock);
  return {
    ...newest,
    on: (database) => {
      const own = newest.on(database);
      return { ...own, ...newestReads(own, clock) };
    },
    list: (organizationId, conditions, page, signal) =>
      untilWhole(async () => {
        const first = await newest.list(organizationId, conditions, page, signal);
        if (isNew(conditions) || isNewest(first, page, clock)) return first;
        const list = (on: Queryable) => listAll(on, organizationId, conditions, page);
        const subject = describeRange(conditions);
        return read({ organizationId, signal, subject }, (database, reading) =>
          extendPage(database, reading, { conditions, page, read: list }, first),
        );
      }),
    listOfGroup: (organizationId, group, page, signal) =>
      untilWhole(async () => {
        const first = await newest.listOfGroup(organizationId, group, page, signal);
        if (isNewest(first, page, clock) || (await isNewGroup(pool, group))) return first;
        const list = (on: Queryable) => listEventsOfGroup(on, organizationId, group, page);
        return read({ organizationId, signal, subject: EVENTS_OF_GROUP }, async (database, reading) => {
          const own = await findGroupFingerprints(database, organizationId, group.id);
          if (!own) return first;
          const conditions = { ...NO_CONDITIONS, projectId: own.projectId, group: own };
          return extendPage(database, reading, { conditions, page, read: list }, first);
        });
      }),
    async find(organizationId, eventId) {
      const found = await newest.find(organizationId, eventId);
      return found ?? findArchived(pool, { archive, organizationId }, eventId);
    },
    histogram: (organizationId, conditions, intervalMs, signal) => {
      if (isNew(conditions)) return newest.histogram(organizationId, conditions, intervalMs, signal);
      return read({ organizationId, signal, subject: describeRange(conditions) }, (database, reading) =>
        whileAtRest(database, () =>
          spanHistogram(database, reading, { conditions, intervalMs }, () =>
            countByBucket(database, organizationId, conditions, intervalMs),
          ),
        ),
      );
    },
    correlationKeys: (organizationId, conditions, value, signal) => {
      if (isNew(conditions)) return newest.correlationKeys(organizationId, conditions, value, signal);
      return read({ organizationId, signal, subject: describeRange(conditions) }, (database, reading) =>
        whileAtRest(database, () =>
          spanKeys(database, reading, { conditions, value }, () =>
            countCorrelationKeys(database, organizationId, conditions, value),
          ),
        ),
      );
    },
    top: (organizationId, conditions, query, signal) => {
      if (isNew(conditions)) return newest.top(organizationId, conditions, query, signal);
      return read({ organizationId, signal, subject: describeRange(conditions) }, (database, reading) =>
        whileAtRest(database, () =>
          spanTop(database, reading, { conditions, query }, (asked) =>
            listTopValues(database, organizationId, conditions, asked),
          ),
        ),
      );
    },
  };
}

/** True if no archive has events of a group: all were captured later. The group of all further events has those of lost groups as well. */
async function isNewGroup(pool: Pool, { number, firstSeen }: GroupPlace): Promise<boolean> {
  const archivedUntilMs = await findArchivedUntil(pool);
  return archivedUntilMs === null || (number > 0 && firstSeen.getTime() >= archivedUntilMs);
}

/** True if a page is full with events that no archive has yet. */
function isNewest({ next }: EventPage, { order }: PageRequest, clock: Clock): boolean {
  return order !== 'asc' && next !== null && isNeverArchived(uuidTime(next), clock);
}

async function findArchived(pool: Pool, reading: ArchiveReading, eventId: string): Promise<EventRow | null> {
  const atMs = uuidTime(eventId);
  const conditions = { ...NO_CONDITIONS, afterMs: atMs - 1, beforeMs: atMs + 1 };
  const limits = limitsOf(reading);
  const range = await findArchivedRange(pool, reading.organizationId, conditions);
  if (!range) return null;
  const { rows } = await orUnavailable(range.archivedUntilMs, async () => {
    const held = await findHeldRange(reading, range, limits);
    if (!held) return { rows: [] };
    const asked = {
      conditions: held.where().within(held).add('id = {?:UInt128}', archivedId(eventId)),
      order: 'desc' as const,
      cursor: null,
      limit: 1,
      omitPayload: false,
      maxBytes: 0,
    };
    return listArchivedRows(reading.archive, asked, limits());
  });
  if (rows.length === 0) return null;
  return findEvent(overRows(pool, { ids: [], archived: rows }), reading.organizationId, eventId);
}

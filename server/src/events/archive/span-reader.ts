import type { Pool, Queryable } from '../../database/database.ts';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import type { Clock } from '../../platform/clock.ts';
import { uuidTime } from '../../platform/ids.ts';
import type { EventRow } from '../event-row.ts';
import { findGroupFingerprints } from '../group-queries.ts';
import { countCorrelationKeys } from '../pair-queries.ts';
import { describeRange } from '../read/describe-range.ts';
import { eventsOn } from '../read/events-on.ts';
import { listEventsOfGroup } from '../read/group-page-queries.ts';
import { countByBucket } from '../read/histogram-queries.ts';
import { findEvent, listAll } from '../read/queries.ts';
import type { EventConditions, EventPage, PageRequest } from '../read-types.ts';
import type { EventReader, EventReads } from '../reader.ts';
import { listTopValues } from '../top/top-queries.ts';
import {
  type ArchiveReading,
  findArchivedRange,
  limitsOf,
  orUnavailable,
  untilWhole,
  whileAtRest,
} from './archive-reads.ts';
import { listArchivedRows } from './archived-row-queries.ts';
import type { EventArchive } from './event-archive.ts';
import { NEVER_ARCHIVED_MS, newestReads } from './newest-reads.ts';
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
 * The archive is asked only for a page that PostgreSQL does not fill, or a range that goes below what it holds.
 */
export function createSpanReader(
  { pool, reads, archive, clock }: SpanDependencies,
  newest: EventReader,
): EventReader {
  const read = <T>(
    { organizationId, signal }: ArchiveReading & { signal: AbortSignal },
    conditions: EventConditions,
    work: (database: Queryable) => Promise<T>,
  ) => reads.run({ organizationId, signal, subject: describeRange(conditions) }, work);
  return {
    ...newest,
    list: (organizationId, conditions, page, signal) =>
      untilWhole(async () => {
        const first = await newest.list(organizationId, conditions, page, signal);
        if (isNewest(first, page, clock)) return first;
        const reading = { archive, organizationId, signal };
        const list = (on: Queryable) => listAll(on, organizationId, conditions, page);
        return read(reading, conditions, (database) =>
          extendPage(database, reading, { conditions, page, read: list }, first),
        );
      }),
    async find(organizationId, eventId) {
      const found = await newest.find(organizationId, eventId);
      return found ?? findArchived(pool, { archive, organizationId }, eventId);
    },
    histogram(organizationId, conditions, intervalMs, signal) {
      const reading = { archive, organizationId, signal };
      return read(reading, conditions, (database) =>
        whileAtRest(database, () =>
          spanHistogram(database, reading, { conditions, intervalMs }, () =>
            countByBucket(database, organizationId, conditions, intervalMs),
          ),
        ),
      );
    },
    correlationKeys(organizationId, conditions, value, signal) {
      const reading = { archive, organizationId, signal };
      return read(reading, conditions, (database) =>
        whileAtRest(database, () =>
          spanKeys(database, reading, { conditions, value }, () =>
            countCorrelationKeys(database, organizationId, conditions, value),
          ),
        ),
      );
    },
    top(organizationId, conditions, query, signal) {
      const reading = { archive, organizationId, signal };
      return read(reading, conditions, (database) =>
        whileAtRest(database, () =>
          spanTop(database, reading, { conditions, query }, (asked) =>
            listTopValues(database, organizationId, conditions, asked),
          ),
        ),
      );
    },
    on: (database) => spanEventsOn(database, archive, clock),
  };
}

/** Reads on a connection, of which a page of a group goes on in the archive. */
function spanEventsOn(database: Queryable, archive: EventArchive, clock: Clock): EventReads {
  const reads = eventsOn(database);
  return {
    ...reads,
    ...newestReads(reads, clock),
    listOfGroup: (organizationId, group, page) =>
      untilWhole(async () => {
        const list = (on: Queryable) => listEventsOfGroup(on, organizationId, group, page);
        const first = await list(database);
        if (isNewest(first, page, clock)) return first;
        const own = await findGroupFingerprints(database, organizationId, group.id);
        if (!own) return first;
        const conditions = { ...NO_CONDITIONS, projectId: own.projectId, group: own };
        return extendPage(database, { archive, organizationId }, { conditions, page, read: list }, first);
      }),
  };
}

/** True if a page is full with events that no archive has yet. */
function isNewest({ next }: EventPage, { order }: PageRequest, clock: Clock): boolean {
  return order !== 'asc' && next !== null && uuidTime(next) >= clock.now() - NEVER_ARCHIVED_MS;
}

async function findArchived(pool: Pool, reading: ArchiveReading, eventId: string): Promise<EventRow | null> {
  const atMs = uuidTime(eventId);
  const conditions = { ...NO_CONDITIONS, afterMs: atMs - 1, beforeMs: atMs + 1 };
  const limits = limitsOf(reading);
  const range = await findArchivedRange(pool, reading, conditions, { limits });
  if (!range) return null;
  const id = BigInt(`0x${eventId.replaceAll('-', '')}`).toString();
  const asked = {
    conditions: range.where().within(range).add('id = {?:UInt128}', id),
    order: 'desc' as const,
    cursor: null,
    limit: 1,
    omitPayload: false,
    maxBytes: 0,
  };
  const { rows } = await orUnavailable(range.archivedUntilMs, () =>
    listArchivedRows(reading.archive, asked, limits()),
  );
  if (rows.length === 0) return null;
  return findEvent(overRows(pool, { ids: [], archived: rows }), reading.organizationId, eventId);
}

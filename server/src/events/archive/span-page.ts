import type { Queryable } from '../../database/database.ts';
import { uuidLowerBound, uuidTime } from '../../platform/ids.ts';
import type { EventConditions, EventPage } from '../read-types.ts';
import { ArchiveError } from './archive-error.ts';
import {
  type ArchivedRange,
  type ArchiveReading,
  findArchivedRange,
  findHeldRange,
  limitsOf,
  orUnavailable,
} from './archive-reads.ts';
import { listArchivedRows } from './archived-row-queries.ts';
import { FoundRows, type SpanRequest, withHyphens } from './found-rows.ts';
import { type Slice, slicesOf } from './slices.ts';

/** Bytes of rows that are read from the archive at a time: a page's. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Maximum rows that are read at a time, where PostgreSQL left out many of those before. */
const MAX_ROWS = 4_000;

/**
 * Continues a page of PostgreSQL in the archive. The time before which events are there is read after the page: so an event
 * that moved meanwhile is in the page, in the archive, or in both, and counts once by its id. PostgreSQL may have late events
 * among those of the archive.
 * @param first page that PostgreSQL alone has
 * @returns null if its events left PostgreSQL since then: it has to be read again
 */
export async function extendPage(
  database: Queryable,
  reading: ArchiveReading,
  request: SpanRequest,
  first: EventPage,
): Promise<EventPage | null> {
  const { order = 'desc', cursor } = request.page;
  const limits = limitsOf(reading);
  const span = spanBetween(order, cursor, first.next);
  const range = await findArchivedRange(database, reading.organizationId, request.conditions, span);
  if (!range) return first;
  const found = new FoundRows(database, request, first);
  await orUnavailable(range.archivedUntilMs, () => readRange(found, { reading, request, range, limits }));
  return found.isBroken ? null : found.page;
}

interface RangeReading {
  reading: ArchiveReading;
  request: SpanRequest;
  range: ArchivedRange;
  limits: ReturnType<typeof limitsOf>;
}

/** Reads as much of a range as the page needs. */
async function readRange(found: FoundRows, asked: RangeReading): Promise<void> {
  const { reading, request, range, limits } = asked;
  const { order = 'desc', cursor } = request.page;
  let isStart = !beginsBefore(range, order, cursor);
  let held: ArchivedRange | null;
  try {
    held = await findHeldRange(reading, range, limits);
  } catch (error) {
    return stopFor(error, found, startOf(range, order), isStart);
  }
  if (!held) return;
  if (held.isUnknown) {
    const { rows, next } = found.page;
    if (order === 'desc' && next === null)
      found.page = { rows, next, scan: { fromMs: range.archivedUntilMs, events: rows.length } };
    return;
  }
  for (const slice of slicesOf(held, order)) {
    const isFull = await readSlice(found, { ...asked, range: held, slice, isStart });
    if (isFull) return;
    isStart = false;
  }
}

interface SliceReading extends RangeReading {
  slice: Slice;
  /** True if the page begins in the slice, and nothing was read before. */
  isStart: boolean;
}

/** Reads a slice as far as the page needs it. @returns true if the page ends in it */
async function readSlice(
  found: FoundRows,
  { reading, request, range, slice, limits, isStart }: SliceReading,
): Promise<boolean> {
  const { order = 'desc', omitPayload } = request.page;
  let cursor = request.page.cursor;
  let limit = request.page.limit + 1;
  let edge: string | null = null;
  for (;;) {
    const asked = {
      conditions: range.where().within(slice),
      order,
      cursor,
      limit,
      omitPayload: omitPayload && !needsPayload(request.conditions),
      maxBytes: MAX_BYTES,
    };
    let read: Awaited<ReturnType<typeof listArchivedRows>>;
    try {
      read = await listArchivedRows(reading.archive, asked, limits());
    } catch (error) {
      stopFor(error, found, edge ?? startOf(slice, order), isStart && edge === null);
      return true;
    }
    const last = read.rows.at(-1);
    const isWhole = !read.hasMore || !last;
    edge = isWhole ? endOf(slice, order) : withHyphens(last.id);
    if (await found.add(read.rows, edge)) return true;
    if (isWhole) return false;
    cursor = edge;
    limit = Math.min(limit * 2, MAX_ROWS);
  }
}

/**
 * Ends a page for an error of the archive: the events found so far are a page, too, which says how far it looked. One that
 * needs too long may have come further without any. One that does not answer leaves the error to the next page.
 * @param isStart true if the page would end where it began
 * @throws the error if they are no page
 */
function stopFor(error: unknown, found: FoundRows, edge: string, isStart: boolean): void {
  if (!(error instanceof ArchiveError)) throw error;
  if (error.isSlow ? isStart : found.order === 'asc' || !found.hasAnyUntil(edge)) throw error;
  found.stop(edge);
}

function startOf({ fromMs, untilMs }: Slice, order: 'asc' | 'desc'): string {
  return uuidLowerBound(order === 'asc' ? fromMs : untilMs);
}

function endOf({ fromMs, untilMs }: Slice, order: 'asc' | 'desc'): string {
  return uuidLowerBound(order === 'asc' ? untilMs : fromMs);
}

/** True if a page reaches the archive with events of PostgreSQL alone before: wherever it ends, it is not where it began. */
function beginsBefore(
  { archivedUntilMs }: ArchivedRange,
  order: 'asc' | 'desc',
  cursor: string | null,
): boolean {
  return order === 'desc' && (cursor === null || uuidTime(cursor) > archivedUntilMs);
}

/** The time between the beginning and the end of a page. Either may be open. */
function spanBetween(order: 'asc' | 'desc', cursor: string | null, next: string | null): Slice {
  const [oldest, newest] = order === 'asc' ? [cursor, next] : [next, cursor];
  return {
    fromMs: oldest === null ? 0 : uuidTime(oldest),
    untilMs: newest === null ? Number.POSITIVE_INFINITY : uuidTime(newest) + 1,
  };
}

/** True if PostgreSQL compares payloads to tell which events meet the conditions. */
export function needsPayload({ paths, series, not }: EventConditions): boolean {
  return paths.length > 0 || not.paths.length > 0 || series?.field !== undefined;
}

import type { Queryable } from '../../database/database.ts';
import { uuidLowerBound, uuidTime } from '../../platform/ids.ts';
import type { EventConditions, EventPage } from '../read-types.ts';
import {
  type ArchivedRange,
  type ArchiveReading,
  findArchivedRange,
  limitsOf,
  nullIfSlow,
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
  const range = await findArchivedRange(database, reading, request.conditions, { limits, span });
  if (!range) return first;
  if (range.isUnknown)
    return order === 'desc' && first.next === null
      ? { ...first, scan: { fromMs: range.archivedUntilMs, events: first.rows.length } }
      : first;

  const found = new FoundRows(database, request, first);
  let isFirst = true;
  for (const slice of slicesOf(range, order)) {
    const isFull = await readSlice(found, { reading, request, range, slice, limits, isFirst });
    if (isFull) return found.isBroken ? null : found.page;
    isFirst = false;
  }
  return found.isBroken ? null : found.page;
}

interface SliceReading {
  reading: ArchiveReading;
  request: SpanRequest;
  range: ArchivedRange;
  slice: Slice;
  limits: ReturnType<typeof limitsOf>;
  /** True if nothing was read before it. */
  isFirst: boolean;
}

/** Reads a slice as far as the page needs it. @returns true if the page ends in it */
async function readSlice(
  found: FoundRows,
  { reading, request, range, slice, limits, isFirst }: SliceReading,
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
    const isStart = isFirst && edge === null && !beginsBefore(range, order, request.page.cursor);
    const read = await orUnavailable(range.archivedUntilMs, () =>
      listArchivedRows(reading.archive, asked, limits()).catch((error: unknown) => {
        // The events found so far are a page, too, which says how far it looked.
        if (isStart) throw error;
        return nullIfSlow(error);
      }),
    );
    if (read === null) {
      found.stop(edge ?? uuidLowerBound(order === 'asc' ? slice.fromMs : slice.untilMs));
      return true;
    }
    const last = read.rows.at(-1);
    const isWhole = !read.hasMore || !last;
    edge = isWhole ? uuidLowerBound(order === 'asc' ? slice.untilMs : slice.fromMs) : withHyphens(last.id);
    if (await found.add(read.rows, edge)) return true;
    if (isWhole) return false;
    cursor = edge;
    limit = Math.min(limit * 2, MAX_ROWS);
  }
}

/** True if a page reaches the archive with events of PostgreSQL alone before: wherever it ends, it is not where it began. */
function beginsBefore(
  { archivedUntilMs }: ArchivedRange,
  order: 'asc' | 'desc',
  cursor: string | null,
): boolean {
  return order === 'desc' && (cursor === null || uuidTime(cursor) > archivedUntilMs);
}

/** The time between the beginning and the end of a page, each of which may be open. */
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

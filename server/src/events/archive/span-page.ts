import type { Queryable } from '../../database/database.ts';
import { uuidLowerBound, uuidTime } from '../../platform/ids.ts';
import type { EventConditions, EventPage, PageRequest, Scan } from '../read-types.ts';
import { ArchiveError } from './archive-error.ts';
import {
  type ArchivedRange,
  type ArchiveReading,
  findArchivedRange,
  limitsOf,
  orUnavailable,
} from './archive-reads.ts';
import { type ArchivedRow, listArchivedRows } from './archived-row-queries.ts';
import { overRows } from './over-rows.ts';
import { type Slice, slicesOf } from './slices.ts';

/** Bytes of rows that are read from the archive at a time: a page's. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Maximum rows that are read at a time, where PostgreSQL left out many of those before. */
const MAX_ROWS = 4_000;

export interface SpanRequest {
  conditions: EventConditions;
  page: PageRequest;
  /** Reads the page from a connection, or from rows that stand for the table of events. */
  read: (database: Queryable) => Promise<EventPage>;
}

/**
 * Continues a page of PostgreSQL in the archive. The time before which events are there is read after the page: so an event
 * that moved meanwhile is in the page, in the archive, or in both, and counts once by its id.
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
  if (order === 'desc' && first.next !== null) return first;
  const limits = limitsOf(reading);
  const range = await findArchivedRange(database, reading, request.conditions, limits);
  if (range === null) return first;
  const slices = withCursor(range, order, cursor);
  if (slices === null) return first;
  if (range.isUnknown && order === 'desc')
    return { ...first, scan: first.scan ?? { fromMs: range.archivedUntilMs, events: first.rows.length } };
  if (range.isUnknown) return first;

  const found = new FoundRows(database, request, first);
  for (const slice of slicesOf(slices, order)) {
    const isFull = await readSlice(found, { reading, request, range, slice, limits });
    if (isFull) return found.isBroken ? null : found.page;
  }
  const page = await found.end();
  return found.isBroken ? null : page;
}

/** Rows of the archive, and the page that they make with those of PostgreSQL. */
class FoundRows {
  readonly #database: Queryable;
  readonly #request: SpanRequest;
  readonly #first: EventPage;
  readonly #archived: ArchivedRow[] = [];
  page: EventPage;
  /** True if an event of the first page was found no more. */
  isBroken = false;

  constructor(database: Queryable, request: SpanRequest, first: EventPage) {
    this.#database = database;
    this.#request = request;
    this.#first = first;
    this.page = request.page.order === 'asc' ? { rows: [], next: null, scan: null } : first;
  }

  get count(): number {
    return this.#archived.length;
  }

  /** @returns true if the page is full */
  async add(rows: readonly ArchivedRow[]): Promise<boolean> {
    if (rows.length === 0) return false;
    for (const row of rows) this.#archived.push(row);
    // With the oldest first, those of PostgreSQL follow once the archive has no more.
    await this.#read(this.#request.page.order !== 'asc');
    return this.page.next !== null;
  }

  /** The page once the archive has no more. */
  async end(): Promise<EventPage> {
    if (this.#request.page.order !== 'asc') return this.page;
    if (this.count === 0) return this.#first;
    await this.#read(true);
    return {
      ...this.page,
      next: this.page.next ?? this.#first.next,
      scan: this.page.scan ?? this.#first.scan,
    };
  }

  /** Ends the page where the scan ended. */
  stop(next: string, scan: Scan): void {
    this.page = { rows: this.page.rows, next, scan };
  }

  async #read(withFirst: boolean): Promise<void> {
    const ids = withFirst ? this.#first.rows.map(({ id }) => id) : [];
    this.page = await this.#request.read(overRows(this.#database, { ids, archived: this.#archived }));
    const { rows, next } = this.page;
    const found = new Set(rows.map(({ id }) => id));
    const isAfter = (id: string) =>
      next !== null && (this.#request.page.order === 'asc' ? id > next : id < next);
    this.isBroken ||= ids.some((id) => !found.has(id) && !isAfter(id));
  }
}

interface SliceReading {
  reading: ArchiveReading;
  request: SpanRequest;
  range: ArchivedRange;
  slice: Slice;
  limits: ReturnType<typeof limitsOf>;
}

/** Reads a slice as far as the page needs it. @returns true if the page ends in it */
async function readSlice(
  found: FoundRows,
  { reading, request, range, slice, limits }: SliceReading,
): Promise<boolean> {
  const { order = 'desc', omitPayload } = request.page;
  let cursor = request.page.cursor;
  let limit = request.page.limit + 1;
  for (let isFirst = true; ; isFirst = false) {
    const asked = {
      conditions: range.where().within(slice),
      order,
      cursor,
      limit,
      omitPayload: omitPayload && !needsPayload(request.conditions),
      maxBytes: MAX_BYTES,
    };
    const isStart =
      isFirst && (order === 'asc' ? slice.fromMs === range.fromMs : slice.untilMs === range.untilMs);
    const read = await orUnavailable(range.archivedUntilMs, () =>
      listArchivedRows(reading.archive, asked, limits()).catch((error: unknown) => {
        // The events found so far are a page, too, which says how far it looked.
        if (isStart || !(error instanceof ArchiveError && error.isSlow)) throw error;
        return null;
      }),
    );
    if (read === null) {
      const edge = isFirst ? uuidLowerBound(order === 'asc' ? slice.fromMs : slice.untilMs) : (cursor ?? '');
      found.stop(edge, scanTo(edge, order, found.count));
      return true;
    }
    if (await found.add(read.rows)) return true;
    const last = read.rows.at(-1);
    if (!read.hasMore || !last) return false;
    cursor = withHyphens(last.id);
    limit = Math.min(limit * 2, MAX_ROWS);
  }
}

function scanTo(edge: string, order: 'asc' | 'desc', events: number): Scan {
  const edgeMs = uuidTime(edge);
  return order === 'asc' ? { fromMs: edgeMs, events, isForward: true } : { fromMs: edgeMs + 1, events };
}

/** The part of a range after a cursor; null: none. */
function withCursor({ fromMs, untilMs }: Slice, order: 'asc' | 'desc', cursor: string | null): Slice | null {
  const cursorMs = cursor === null ? null : uuidTime(cursor);
  const rest =
    cursorMs === null
      ? { fromMs, untilMs }
      : order === 'asc'
        ? { fromMs: Math.max(fromMs, cursorMs), untilMs }
        : { fromMs, untilMs: Math.min(untilMs, cursorMs + 1) };
  return rest.fromMs < rest.untilMs ? rest : null;
}

/** True if PostgreSQL compares payloads to tell which events meet the conditions. */
export function needsPayload({ paths, series, not }: EventConditions): boolean {
  return paths.length > 0 || not.paths.length > 0 || series?.field !== undefined;
}

function withHyphens(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

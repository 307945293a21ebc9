import type { Queryable } from '../../database/database.ts';
import { uuidTime } from '../../platform/ids.ts';
import type { EventConditions, EventPage, PageRequest, Scan } from '../read-types.ts';
import type { ArchivedRow } from './archived-row-queries.ts';
import { overRows } from './over-rows.ts';

export interface SpanRequest {
  conditions: EventConditions;
  page: PageRequest;
  /** Reads the page from a connection, or from rows that stand for the table of events. */
  read: (database: Queryable) => Promise<EventPage>;
}

/** Rows of the archive, and the page that they make with those of PostgreSQL. */
export class FoundRows {
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
    this.page = first;
  }

  /**
   * Adds rows up to an id, beyond which the archive may have others: a page that goes on beyond it is none yet.
   * @returns true if the page is full
   */
  async add(rows: readonly ArchivedRow[], edge: string): Promise<boolean> {
    const { next } = this.#first;
    // PostgreSQL may have others beyond the end of its page.
    const within = rows.filter(({ id }) => next === null || !this.#isBeyond(withHyphens(id), next));
    if (within.length > 0) {
      for (const row of within) this.#archived.push(row);
      this.page = await this.#read();
    }
    return this.#archived.length > 0 && this.page.next !== null && !this.#isBeyond(this.page.next, edge);
  }

  get order(): 'asc' | 'desc' {
    return this.#request.page.order ?? 'desc';
  }

  /** True if the page has an event up to an id. */
  hasAnyUntil(edge: string): boolean {
    return this.page.rows.some(({ id }) => !this.#isBeyond(id, edge));
  }

  /** Ends the page where the archive was read no further. */
  stop(edge: string): void {
    const rows = this.page.rows.filter(({ id }) => !this.#isBeyond(id, edge));
    this.page = { rows, next: edge, scan: this.#scanTo(edge) };
  }

  async #read(): Promise<EventPage> {
    const ids = this.#first.rows.map(({ id }) => id);
    const page = await this.#request.read(overRows(this.#database, { ids, archived: this.#archived }));
    const { rows, next } = page;
    const found = new Set(rows.map(({ id }) => id));
    this.isBroken ||= ids.some((id) => !found.has(id) && (next === null || !this.#isBeyond(id, next)));
    return next === null ? { rows, next: this.#first.next, scan: this.#first.scan } : page;
  }

  /** True if an id comes after another in the order of the page. */
  #isBeyond(id: string, edge: string): boolean {
    return this.#request.page.order === 'asc' ? id > edge : id < edge;
  }

  #scanTo(edge: string): Scan {
    const events = this.#archived.length;
    return this.#request.page.order === 'asc'
      ? { fromMs: uuidTime(edge), events, isForward: true }
      : { fromMs: uuidTime(edge) + 1, events };
  }
}

export function withHyphens(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

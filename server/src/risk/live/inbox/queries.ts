import type { CountDelta, ErrorDelta } from '@tocsin/detector';
import type { Queryable } from '../../../database/database.ts';

/** Counts of a project, as the worker's statement writes them. */
export type InboxDelta = CountDelta & {
  projectId: string;
  /** Mean time between their capture and their receipt. */
  lateMs?: number;
  /** Minute in which they were captured, if that is long before their receipt. */
  capturedMs?: number;
  /** True if they waited on disk while the database was lost. */
  isSpooled?: true;
};
export type InboxError = ErrorDelta & {
  projectId: string;
  /** Lateness of the event that was received soonest after its capture. */
  lateMs?: number;
};

/** Smallest id in the stream from one on; null: there is none. */
export async function findOldestInboxId(database: Queryable, fromId: number): Promise<number | null> {
  const { rows } = await database.query<{ id: number }>({
    name: 'find-oldest-inbox-id',
    text: 'SELECT id FROM risk_inbox WHERE id >= $1 ORDER BY id LIMIT 1',
    values: [fromId],
  });
  return rows[0]?.id ?? null;
}

export interface OldestInbox {
  rows: number;
  deltas: InboxDelta[];
  errors: InboxError[];
  /** Oldest bucket of the last row that was taken. */
  newestMs: number;
  /** True if a limit was reached, so that more may be there. */
  hasMore: boolean;
}

/**
 * Takes the oldest rows of the stream from an id on, up to a limit; the commit deletes them. A row has the counts of
 * one statement of processing, so the last one may exceed the limit by the events of that statement.
 * @param maxEntries counts and error groups
 */
export async function takeInbox(
  database: Queryable,
  fromId: number,
  maxRows: number,
  maxEntries: number,
): Promise<OldestInbox> {
  const { rows } = await database.query<{
    id: number;
    entries: number;
    deltas: InboxDelta[];
    errors: InboxError[];
  }>(
    `WITH waiting AS (
        SELECT id, entries FROM risk_inbox WHERE id >= $3 ORDER BY id LIMIT $1
      ), oldest AS (
        SELECT id, sum(entries) OVER (ORDER BY id) AS entries, entries AS own FROM waiting
      )
      DELETE FROM risk_inbox AS i USING oldest WHERE i.id = oldest.id AND oldest.entries - oldest.own < $2
      RETURNING i.id, oldest.entries, i.deltas, i.errors`,
    [maxRows, maxEntries, fromId],
  );
  const last = rows.reduce<(typeof rows)[number] | undefined>(
    (newest, row) => (newest && newest.id > row.id ? newest : row),
    undefined,
  );
  return {
    rows: rows.length,
    deltas: rows.flatMap(({ deltas }) => deltas),
    errors: rows.flatMap(({ errors }) => errors),
    newestMs:
      last?.deltas.reduce((oldest, { bucketMs }) => Math.min(oldest, bucketMs), Number.POSITIVE_INFINITY) ??
      0,
    hasMore: rows.length === maxRows || (last?.entries ?? 0) >= maxEntries,
  };
}

/** Number of rows in the stream from an id on, and the first of them. */
export async function countInbox(
  database: Queryable,
  fromId: number,
): Promise<{ count: number; oldestId: number | null }> {
  const { rows } = await database.query<{ count: number; oldestId: number | null }>(
    'SELECT count(*) AS count, min(id) AS "oldestId" FROM risk_inbox WHERE id >= $1',
    [fromId],
  );
  return rows[0] ?? { count: 0, oldestId: null };
}

/** When the oldest of the first rows in the stream begins, in milliseconds; null: the stream is empty. */
export async function findInboxStart(database: Queryable, rows: number): Promise<number | null> {
  const { rows: found } = await database.query<{ fromMs: number | null }>(
    `SELECT min(from_ms) AS "fromMs" FROM (SELECT from_ms FROM risk_inbox ORDER BY id LIMIT $1) AS first`,
    [rows],
  );
  return found[0]?.fromMs ?? null;
}

/** The first rows of the stream without their content: their sizes, and their oldest buckets. */
export async function listInboxAhead(
  database: Queryable,
  limit: number,
): Promise<{ id: number; entries: number; fromMs: number }[]> {
  const { rows } = await database.query<{ id: number; entries: number; fromMs: number }>(
    'SELECT id, entries, from_ms AS "fromMs" FROM risk_inbox ORDER BY id LIMIT $1',
    [limit],
  );
  return rows;
}

export interface InboxRow {
  id: number;
  deltas: InboxDelta[];
  errors: InboxError[];
}

/** Only the leader, which holds the progress, takes or changes rows. */
export async function listInboxRows(database: Queryable, ids: number[]): Promise<InboxRow[]> {
  const { rows } = await database.query<InboxRow>(
    'SELECT id, deltas, errors FROM risk_inbox WHERE id = ANY ($1) ORDER BY id',
    [ids],
  );
  return rows;
}

/** Replaces the content of a row by the rest. */
export async function updateInboxRow(
  database: Queryable,
  { id, deltas, errors, fromMs }: InboxRow & { fromMs: number },
): Promise<void> {
  await database.query(
    'UPDATE risk_inbox SET deltas = $2, errors = $3, entries = $4, from_ms = $5 WHERE id = $1',
    [id, JSON.stringify(deltas), JSON.stringify(errors), deltas.length + errors.length, fromMs],
  );
}

export async function deleteInboxRows(database: Queryable, ids: number[]): Promise<void> {
  await database.query('DELETE FROM risk_inbox WHERE id = ANY ($1)', [ids]);
}

import type { Queryable } from '../../../database/database.ts';
import {
  deleteInboxRows,
  type InboxDelta,
  type InboxError,
  type InboxRow,
  listInboxAhead,
  listInboxRows,
  updateInboxRow,
} from './queries.ts';

/** Maximum rows of one round; a backlog is taken in several. */
export const MAX_INBOX_ROWS = 1_000;
/** Maximum counts and error groups: some 10 MB in memory. */
export const MAX_INBOX_ENTRIES = 20_000;
/** The stream is in the order of processing, which differs from that of receipt by at most this much. */
export const DISORDER_MS = 60_000;

/** Content of the stream; times are those of clocks. */
export interface TakenInbox {
  rows: number;
  deltas: InboxDelta[];
  errors: InboxError[];
  /** Up to when nothing is left in the stream, within the requested time. */
  untilMs: number;
  /** True if a limit was reached, and more of it remains. */
  hasMore: boolean;
}

/** How far a round goes. */
interface Reach {
  fromMs: number;
  endMs: number;
  /** Entries are taken up to this time, */
  readMs: number;
  /** and none that is so much later than the oldest that is left. */
  aheadMs: number;
}

/**
 * Takes the entries before `readMs`, the oldest rows first, up to a limit. A row has the counts of one statement of
 * processing, which may span days: later entries stay in it for the next rounds.
 */
export async function takeInboxBefore(
  database: Queryable,
  { fromMs, endMs, readMs, aheadMs }: Reach,
): Promise<TakenInbox> {
  const ahead = await listInboxAhead(database, MAX_INBOX_ROWS);
  const due = ahead
    .filter((row) => row.fromMs < readMs)
    .toSorted((left, right) => left.fromMs - right.fromMs || left.id - right.id);
  let chosen = 0;
  for (let entries = 0; chosen < due.length && entries < MAX_INBOX_ENTRIES; chosen++) {
    entries += due[chosen]?.entries ?? 0;
  }
  const last = ahead.length === MAX_INBOX_ROWS ? ahead.at(-1) : undefined;
  const beyondMs = last ? last.fromMs - DISORDER_MS : endMs;
  const untilMs = Math.max(fromMs, Math.min(endMs, due[chosen]?.fromMs ?? endMs, beyondMs));
  const taken: TakenInbox = { rows: chosen, deltas: [], errors: [], untilMs, hasMore: chosen < due.length };
  const cutMs = Math.min(readMs, untilMs + aheadMs);
  const finished: number[] = [];
  for (const row of await listInboxRows(
    database,
    due.slice(0, chosen).map(({ id }) => id),
  )) {
    const rest = split(row, cutMs, taken);
    if (rest) await updateInboxRow(database, rest);
    else finished.push(row.id);
  }
  await deleteInboxRows(database, finished);
  return taken;
}

/** Adds the entries before a time to those taken. @returns the rest; null: nothing */
function split(row: InboxRow, cutMs: number, taken: TakenInbox): (InboxRow & { fromMs: number }) | null {
  const rest: InboxRow & { fromMs: number } = {
    id: row.id,
    deltas: [],
    errors: [],
    fromMs: Number.POSITIVE_INFINITY,
  };
  for (const delta of row.deltas) {
    if (delta.bucketMs < cutMs) taken.deltas.push(delta);
    else {
      rest.deltas.push(delta);
      rest.fromMs = Math.min(rest.fromMs, delta.bucketMs);
    }
  }
  for (const error of row.errors) {
    if (error.atMs < cutMs) taken.errors.push(error);
    else {
      rest.errors.push(error);
      rest.fromMs = Math.min(rest.fromMs, error.atMs);
    }
  }
  return Number.isFinite(rest.fromMs) ? rest : null;
}

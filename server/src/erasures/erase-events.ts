import { inPlainTransaction, inTransaction, type Store } from '../database/database.ts';
import { isCanceled } from '../database/sql-state.ts';
import { listPartitionWeeks } from '../events/partition-queries.ts';
import {
  deleteErasedEvents,
  type ErasableEvent,
  type IdRange,
  listErasableEvents,
  listScannedEvents,
  setSearchLimit,
} from '../events/remove/erasure-queries.ts';
import { endOfWeek, weekOf } from '../events/weeks.ts';
import { uuidLowerBound, uuidTime } from '../platform/ids.ts';
import { updateDeadInLedgers } from '../processing/dead-letters/queries.ts';
import { shareProject } from '../tenancy/projects/lock-queries.ts';
import { findErasedLetters } from './erased-letters.ts';
import { FIRST_ID } from './first-id.ts';
import { deleteErasedDeadLetters } from './letter-queries.ts';
import { addToErasure, type UnfinishedErasure, updateErasedFrom } from './queries.ts';

/**
 * Events that are found at once by the index of values. Deleted ones stay in it until a vacuum, and each search for further
 * ones passes over them.
 */
const FOUND_EVENTS = 20_000;
/** Time limit of such a search: the value may be in most events of a large week. */
const SEARCH_MS = 5_000;
/** Events that a scan reads at once, where a search takes longer. */
const SCANNED_EVENTS = 10_000;
/**
 * Events that a transaction deletes. Those of a user are each on a page of its own, which the log then has as a whole: commits
 * beside it wait until all of them are written.
 */
const CHUNK_EVENTS = 250;

interface SearchedStore extends Store {
  /** Time limit of a search by the index of values. */
  searchMs?: number;
}

/**
 * Deletes the stored events of an erasure, the newest first, from the place where another worker ended; yields after each
 * transaction.
 */
export async function* eraseEvents(
  store: SearchedStore,
  erasure: UnfinishedErasure,
): AsyncGenerator<void, void> {
  const { erasedFrom } = erasure;
  for (const weekMs of (await listPartitionWeeks(store.pool)).toReversed()) {
    const [fromId, endId] = [uuidLowerBound(weekMs), uuidLowerBound(endOfWeek(weekMs))];
    if (erasedFrom !== null && erasedFrom <= fromId) continue;
    const beforeId = erasedFrom !== null && erasedFrom < endId ? erasedFrom : endId;
    yield* eraseRange(store, erasure, { fromId, beforeId });
    await updateErasedFrom(store.pool, erasure.id, fromId);
    yield;
  }
}

/** Deletes the events of a range: by the index of values, or where that takes too long by scanning its events. */
async function* eraseRange(
  store: SearchedStore,
  erasure: UnfinishedErasure,
  range: IdRange,
): AsyncGenerator<void, void> {
  if (yield* searchRange(store, erasure, range)) return;
  let beforeId: string | null = range.beforeId;
  while (beforeId !== null) {
    const part: IdRange = { ...range, beforeId };
    const { found, lastId } = await listScannedEvents(store.pool, erasure, part, SCANNED_EVENTS);
    yield* deleteFound(store, erasure, found);
    if (lastId !== null) await updateErasedFrom(store.pool, erasure.id, lastId);
    yield;
    beforeId = lastId;
  }
}

/** Deletes the events of a range by the index of values. @returns false if a search took too long */
async function* searchRange(
  store: SearchedStore,
  erasure: UnfinishedErasure,
  range: IdRange,
): AsyncGenerator<void, boolean> {
  let found: ErasableEvent[];
  do {
    try {
      found = await inPlainTransaction(store.pool, async (transaction) => {
        await setSearchLimit(transaction, store.searchMs ?? SEARCH_MS);
        return listErasableEvents(transaction, erasure, range, FOUND_EVENTS);
      });
    } catch (error) {
      if (isCanceled(error)) return false;
      throw error;
    }
    yield* deleteFound(store, erasure, found);
  } while (found.length === FOUND_EVENTS);
  return true;
}

async function* deleteFound(
  store: Store,
  erasure: UnfinishedErasure,
  found: readonly ErasableEvent[],
): AsyncGenerator<void, void> {
  for (const [projectId, ids] of byProject(found))
    for (let from = 0; from < ids.length; from += CHUNK_EVENTS) {
      const chunk = ids.slice(from, from + CHUNK_EVENTS);
      await inTransaction(store, async (transaction) => {
        if (!(await shareProject(transaction, erasure.organizationId, projectId))) return;
        const weekMs = weekOf(uuidTime(chunk[0] ?? FIRST_ID));
        const events = await deleteErasedEvents(transaction, projectId, chunk, weekMs);
        await addToErasure(transaction, erasure.id, { events });
      });
      yield;
    }
}

/** Ids by project, in their order: all who delete rows of events do so in it. */
function byProject(events: readonly ErasableEvent[]): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const { id, projectId } of events.toSorted((left, right) => (left.id < right.id ? -1 : 1))) {
    const ids = lists.get(projectId) ?? [];
    ids.push(id);
    lists.set(projectId, ids);
  }
  return lists;
}

/** Deletes the dead letters of an erasure; yields after each transaction. */
export async function* eraseDeadLetters(
  store: Store,
  erasure: UnfinishedErasure,
): AsyncGenerator<void, void> {
  for (const projectId of erasure.projectIds) {
    let afterId: string | null = FIRST_ID;
    while (afterId !== null) {
      const { ids, nextId } = await findErasedLetters(store.pool, projectId, erasure, afterId);
      if (ids.length > 0)
        await inTransaction(store, async (transaction) => {
          if (!(await shareProject(transaction, erasure.organizationId, projectId))) return;
          const deadLetters = await deleteErasedDeadLetters(transaction, projectId, ids);
          await updateDeadInLedgers(transaction, [{ projectId, events: deadLetters }], 'erased');
          await addToErasure(transaction, erasure.id, { deadLetters });
        });
      afterId = nextId;
      if (afterId !== null) yield;
    }
  }
}

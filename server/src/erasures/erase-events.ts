import { inTransaction, type Store } from '../database/database.ts';
import { listPartitionWeeks } from '../events/partition-queries.ts';
import { shareProject } from '../tenancy/projects/lock-queries.ts';
import {
  deleteErasedDeadLetters,
  deleteErasedEvents,
  listDeadLettersWith,
  listErasableEvents,
} from './event-queries.ts';
import { FIRST_ID } from './first-id.ts';
import { addToErasure, type UnfinishedErasure } from './queries.ts';
import { isErasedLetter, toErasedValue } from './replace-value.ts';

/**
 * Events that are found at once. Deleted ones stay in the index until a vacuum, and each search for further ones passes over
 * them.
 */
const FOUND_EVENTS = 10_000;
/** Events that a transaction deletes: short, with little to write, so that no commit beside it waits long. */
const CHUNK_EVENTS = 1_000;
const CHUNK_LETTERS = 100;

/** Deletes the stored events of an erasure, the newest weeks first; yields after each transaction. */
export async function* eraseEvents(store: Store, erasure: UnfinishedErasure): AsyncGenerator<void, void> {
  for (const weekMs of (await listPartitionWeeks(store.pool)).toReversed()) {
    let found: { id: string; projectId: string }[];
    do {
      found = await listErasableEvents(store.pool, erasure, weekMs, FOUND_EVENTS);
      if (found.length === 0) yield;
      for (const [projectId, ids] of byProject(found))
        for (let from = 0; from < ids.length; from += CHUNK_EVENTS) {
          const chunk = ids.slice(from, from + CHUNK_EVENTS);
          await inTransaction(store, async (transaction) => {
            if (!(await shareProject(transaction, erasure.organizationId, projectId))) return;
            const events = await deleteErasedEvents(transaction, projectId, chunk, weekMs);
            await addToErasure(transaction, erasure.id, { events });
          });
          yield;
        }
    } while (found.length === FOUND_EVENTS);
  }
}

/** Ids by project, in their order: all who delete rows of events do so in it. */
function byProject(events: readonly { id: string; projectId: string }[]): Map<string, string[]> {
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
  const erased = toErasedValue(erasure.value);
  for (const projectId of erasure.projectIds) {
    let afterId: string | null = FIRST_ID;
    while (afterId !== null) {
      const scan = { text: letterText(erased.value), afterId, limit: CHUNK_LETTERS };
      const letters = await listDeadLettersWith(store.pool, projectId, scan);
      const ids = letters
        .filter(({ event }) => isErasedLetter(event, erasure.key, erased))
        .map(({ id }) => id);
      if (ids.length > 0)
        await inTransaction(store, async (transaction) => {
          if (!(await shareProject(transaction, erasure.organizationId, projectId))) return;
          const deadLetters = await deleteErasedDeadLetters(transaction, projectId, ids);
          await addToErasure(transaction, erasure.id, { deadLetters });
        });
      afterId = letters.length === CHUNK_LETTERS ? (letters.at(-1)?.id ?? null) : null;
      if (afterId !== null) yield;
    }
  }
}

/** Text that each dead letter with a value contains: the value may be a number. */
export function letterText(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

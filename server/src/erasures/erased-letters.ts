import type { Queryable } from '../database/database.ts';
import type { ErasedSubject } from '../events/remove/erasure-queries.ts';
import { FIRST_ID } from './first-id.ts';
import { listDeadLettersWith } from './letter-queries.ts';
import { isErasedLetter } from './replace-value.ts';

/** Dead letters that are read at once: each is up to as large as a request. */
const CHUNK_LETTERS = 20;

type SearchedValue = Pick<ErasedSubject, 'key' | 'value'>;

/**
 * Finds the dead letters of a project that an erasure deletes among the next ones that contain the value after an id.
 * @returns the number of their events, and the id to go on after; null: there are no further ones
 */
export async function findErasedLetters(
  database: Queryable,
  projectId: string,
  { key, value }: SearchedValue,
  afterId: string,
): Promise<{ ids: string[]; events: number; nextId: string | null }> {
  // Each of them contains it without quotes: it may be a number.
  const text = JSON.stringify(value).slice(1, -1);
  const letters = await listDeadLettersWith(database, projectId, { text, afterId, limit: CHUNK_LETTERS });
  const erased = letters.filter(({ event }) => isErasedLetter(event, key, value));
  return {
    ids: erased.map(({ id }) => id),
    events: erased.reduce((sum, { events }) => sum + events, 0),
    nextId: letters.length === CHUNK_LETTERS ? (letters.at(-1)?.id ?? null) : null,
  };
}

/** Counts the events in dead letters of projects that an erasure would delete. */
export async function countErasedLetters(
  database: Queryable,
  projectIds: readonly string[],
  searched: SearchedValue,
): Promise<number> {
  let count = 0;
  for (const projectId of projectIds) {
    let afterId: string | null = FIRST_ID;
    while (afterId !== null) {
      const { events, nextId } = await findErasedLetters(database, projectId, searched, afterId);
      count += events;
      afterId = nextId;
    }
  }
  return count;
}

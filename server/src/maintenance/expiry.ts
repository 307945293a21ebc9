import { inPlainTransaction, type Pool } from '../database/database.ts';
import {
  deleteExpiredEvents,
  type ExpiryChunk,
  type ExpiryPlace,
  listExpiredHours,
} from '../events/remove/expiry-queries.ts';
import { HOUR_MS } from '../platform/durations.ts';
import { uuidLowerBound, uuidTime } from '../platform/ids.ts';
import { hourOf } from '../platform/time.ts';
import { acquireExpiry, addExpired } from './expiry-queries.ts';

/** Maximum events that a chunk looks at, and the hours that they may be of: a short transaction, as those of a purge. */
const CHUNK_EVENTS = 1_000;
const CHUNK_HOURS = 48;
/** Maximum hours of a list: the next list has those of further projects. */
const MAX_HOURS = 1_000;
/** UUID before those of all projects. */
const FIRST_ID = uuidLowerBound(0);

/**
 * Removes the events that projects keep for less time than the installation, the oldest hours first, and pauses after each chunk.
 * A chunk of each project comes before the next of any, but an hour of several chunks is removed as a whole. The copies of counts
 * by the hour say which hours are due, so nothing else is read, and the place where a crash ended it is found again. An event of
 * an hour that is not copied yet waits for that.
 * @param countedFrom the time that ages are counted from, as it is trusted at that moment
 * @param onRemoved receives the number of events of each chunk
 */
export async function* removeExpired(
  pool: Pool,
  countedFrom: () => Date,
  onRemoved?: (events: number) => void,
  maxHours: number = MAX_HOURS,
): AsyncGenerator<void, void> {
  let afterProjectId = FIRST_ID;
  let hasRemoved = false;
  while (true) {
    const hours = await listExpiredHours(pool, countedFrom(), { afterProjectId, limit: maxHours });
    for (const hour of hours) {
      let afterId: string | null = uuidLowerBound(hour.hour.getTime());
      let counted: number | null = null;
      while (afterId !== null) {
        const place = { projectId: hour.projectId, afterId, counted };
        const chunk: ExpiryChunk | null = await removeChunk(pool, countedFrom(), place);
        // Another worker removes them.
        if (chunk === null) return;
        onRemoved?.(chunk.deleted);
        yield;
        hasRemoved ||= chunk.isDue;
        ({ lastId: afterId, counted } = chunk);
      }
    }
    const last = hours.length === maxHours ? hours.at(-1) : undefined;
    if (!last && !hasRemoved) return;
    // The rest of the projects, and then all of them again.
    hasRemoved &&= last !== undefined;
    afterProjectId = last?.projectId ?? FIRST_ID;
  }
}

function removeChunk(
  pool: Pool,
  now: Date,
  from: Omit<ExpiryPlace, 'hour' | 'end'>,
): Promise<ExpiryChunk | null> {
  const hourMs = hourOf(uuidTime(from.afterId));
  const place = { ...from, hour: new Date(hourMs), end: new Date(hourMs + CHUNK_HOURS * HOUR_MS) };
  return inPlainTransaction(pool, async (transaction) => {
    if (!(await acquireExpiry(transaction))) return null;
    const chunk = await deleteExpiredEvents(transaction, now, place, CHUNK_EVENTS);
    if (chunk.deleted > 0)
      await addExpired(transaction, [{ projectId: from.projectId, count: chunk.deleted }]);
    return chunk;
  });
}

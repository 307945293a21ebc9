import type { Pool } from '../database/database.ts';
import { insertDeletion, isErasureRemoved } from '../events/archive/deletion-queries.ts';
import { findArchivedUntil } from '../events/archive/known-value-queries.ts';
import { isoTime } from '../platform/time.ts';
import { findCover, type UnfinishedErasure } from './queries.ts';

/**
 * Has the events of an erasure removed from the archive, once those of PostgreSQL are gone.
 * @returns true if they are, or no archive has any
 */
export async function isArchiveErased(pool: Pool, erasure: UnfinishedErasure): Promise<boolean> {
  const { id, organizationId, projectIds, key, value } = erasure;
  if ((await findArchivedUntil(pool)) === null) return true;
  const isRemoved = await isErasureRemoved(pool, id);
  if (isRemoved !== null) return isRemoved;
  const until = await findCover(pool, id);
  if (until !== null) {
    const condition = { organizationId, projectIds, key, value, until: isoTime(until) };
    await insertDeletion(pool, { kind: 'value', condition }, id);
  }
  return false;
}

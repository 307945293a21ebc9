import type { Pool } from '../database/database.ts';
import { hasArchivedEvents } from '../events/archive/block-queries.ts';
import { insertDeletion, isErasureRemoved } from '../events/archive/deletion-queries.ts';
import { isoTime } from '../platform/time.ts';
import { findCover, type UnfinishedErasure } from './queries.ts';

/**
 * Has the events of an erasure removed from the archive, once those of PostgreSQL are gone. An archive that is configured is always
 * asked: a restored database may not know yet what it has.
 * @returns true if they are, or no archive has any
 */
export async function isArchiveErased(
  { pool, hasArchive = false }: { pool: Pool; hasArchive?: boolean | undefined },
  erasure: UnfinishedErasure,
): Promise<boolean> {
  const { id, organizationId, projectIds, key, value } = erasure;
  if (!hasArchive && !(await hasArchivedEvents(pool))) return true;
  const isRemoved = await isErasureRemoved(pool, id);
  if (isRemoved !== null) return isRemoved;
  const until = await findCover(pool, id);
  if (until !== null) {
    const condition = { organizationId, projectIds, key, value, until: isoTime(until) };
    await insertDeletion(pool, { kind: 'value', condition }, id);
  }
  return false;
}

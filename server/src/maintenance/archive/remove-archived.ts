import { inPlainTransaction } from '../../database/database.ts';
import { addToErasure } from '../../erasures/queries.ts';
import { deleteBlocksOfWeek } from '../../events/archive/block-queries.ts';
import {
  type Deletion,
  deleteDeletion,
  type FoundEvents,
  findDeletion,
  listFound,
  updateBlocksRemoved,
  updateDeletionFound,
  whereOf,
} from '../../events/archive/deletion-queries.ts';
import type { SendDependencies } from '../../events/archive/send-block.ts';
import { updateRemovedInLedgers } from '../expiry-queries.ts';

/**
 * Removes the events of the next request from the archive. What it finds is written down before, so that blocks and ledgers are
 * right after a crash at any moment. While no block is under way: blocks that are read later have none of these events.
 * @returns false: there is no request
 */
export async function removeNext({
  pool,
  archive,
}: Pick<SendDependencies, 'pool' | 'archive'>): Promise<boolean> {
  const deletion = await findDeletion(pool);
  if (!deletion) return false;
  const found = deletion.found ?? (await listFound(archive, deletion));
  if (found.length > 0) {
    if (deletion.found === null) await updateDeletionFound(pool, deletion.id, found);
    if (deletion.kind === 'week') await archive.dropWeek(Date.parse(deletion.condition.week));
    else {
      const { where, parameters } = whereOf(deletion);
      await archive.deleteEvents(where, parameters);
    }
  }
  await inPlainTransaction(pool, async (transaction) => {
    const moved = await updateBlocksRemoved(transaction, found);
    // Events that PostgreSQL has as well are counted when they are removed there; adopted ones were never counted.
    const counts = countByProject(found.filter(({ number }) => moved.has(number)));
    if (deletion.kind !== 'project')
      await updateRemovedInLedgers(transaction, counts, deletion.kind === 'value' ? 'erased' : 'expired');
    await endRequest(transaction, deletion, counts);
  });
  return true;
}

async function endRequest(
  transaction: Parameters<typeof deleteDeletion>[0],
  deletion: Deletion,
  counts: readonly { count: number }[],
): Promise<void> {
  if (deletion.kind === 'week')
    await deleteBlocksOfWeek(transaction, new Date(deletion.condition.week), ['moved', 'adopted']);
  if (deletion.erasureId !== null)
    await addToErasure(transaction, deletion.erasureId, {
      events: counts.reduce((sum, { count }) => sum + count, 0),
    });
  await deleteDeletion(transaction, deletion);
}

function countByProject(found: readonly FoundEvents[]): { projectId: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { projectId, rows } of found) counts.set(projectId, (counts.get(projectId) ?? 0) + rows);
  return [...counts].map(([projectId, count]) => ({ projectId, count }));
}

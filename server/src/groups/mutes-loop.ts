import { inTransaction, type Store } from '../database/database.ts';
import { confirmedTime } from '../platform/clock.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { shareProject } from '../tenancy/projects/lock-queries.ts';
import { lockGroupsForChange } from './lock-for-change.ts';
import { listEndedMutes } from './state-queries.ts';

/**
 * Maximum time from the end of a mute to its entry in the history and its live frame; no reader of states waits for
 * it.
 */
const IDLE_MS = 5_000;
/** Maximum groups opened in one transaction, for which the storing of events in these groups waits. */
const MAX_GROUPS = 200;

export function declareMutesLoop(store: Store): LoopDeclaration {
  return {
    name: 'mutes',
    round: async () => ((await writeEndedMutes(store)) ? 'again' : 'idle'),
    idleDelayMs: IDLE_MS,
  };
}

/**
 * Writes the ends of mutes that have ended by time, and announces them. Any number of workers may do so at once: each
 * reads the states again under its locks.
 * @returns true if there may be more
 */
export async function writeEndedMutes(store: Store): Promise<boolean> {
  const listed = await listEndedMutes(store.pool, new Date(confirmedTime(store.clock)), MAX_GROUPS);
  if (listed.length === 0) return false;
  await inTransaction(store, async (transaction) => {
    const live = new Set<string>();
    for (const projectId of [...new Set(listed.map((group) => group.projectId))].toSorted())
      if (await shareProject(transaction, null, projectId)) live.add(projectId);
    const ids = listed.filter(({ projectId }) => live.has(projectId)).map(({ id }) => id);
    await lockGroupsForChange(transaction, ids);
  });
  return listed.length === MAX_GROUPS;
}

import { inTransaction, type Store } from '../database/database.ts';
import { confirmedTime } from '../platform/clock.ts';
import { lockGroups } from './queries.ts';
import { listDueMutes, MAX_DUE_MUTES, OPEN } from './state-queries.ts';
import { writeStates } from './write-states.ts';

/** Of so many groups each: what is left then is opened by the next reader. */
const MAX_ROUNDS = 100;

/**
 * Opens the groups of an organization whose mute has ended by time. Every reader of groups calls it first, so that a state
 * is never older than its end, without a loop that would have to be on time.
 */
export async function endMutes(store: Store, organizationId: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const due = await listDueMutes(store.pool, organizationId, new Date(confirmedTime(store.clock)));
    if (due.length > 0) await openGroups(store, due);
    if (due.length < MAX_DUE_MUTES) return;
  }
}

async function openGroups(store: Store, due: readonly string[]): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const now = new Date(confirmedTime(transaction));
    const locked = await lockGroups(transaction, due);
    const opened = locked.flatMap((before) => {
      const { state, muteUntil: at } = before;
      return state === 'muted' && at && at <= now ? [{ before, after: { ...before, ...OPEN }, at }] : [];
    });
    await writeStates(transaction, opened, null);
  });
}

import { inTransaction, type Store } from '../database/database.ts';
import { confirmedTime } from '../platform/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../platform/durations.ts';
import { newUuid } from '../platform/ids.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { insertNotice } from '../tenancy/organizations/notice-queries.ts';
import { listOwnerIds } from '../tenancy/organizations/queries.ts';
import { lockUnwatchedMajorities, updateAnnounced } from './queries.ts';

const IDLE_MS = 5 * MINUTE_MS;
/** Maximum environments announced in one transaction. */
const AT_ONCE = 20;

export function declareUnwatchedLoop(store: Store): LoopDeclaration {
  return {
    name: 'unwatched environments',
    round: async () => ((await announceUnwatched(store)) ? 'again' : 'idle'),
    idleDelayMs: IDLE_MS,
  };
}

/**
 * Gives OWNERs one notice about each environment that is not watched although nearly all events of its project come from
 * it, until a user switches it. Any number of workers: each row is locked by one.
 * @returns true if there may be more
 */
export async function announceUnwatched(store: Store): Promise<boolean> {
  return inTransaction(store, async (transaction) => {
    // A clock that has leaped ahead counts for nothing until it is confirmed.
    const until = new Date(confirmedTime(transaction));
    const hour = { since: new Date(until.getTime() - HOUR_MS), until };
    const found = await lockUnwatchedMajorities(transaction, hour, AT_ONCE);
    for (const { number, ...about } of found) {
      await updateAnnounced(transaction, about.organizationId, { projectId: about.projectId, number });
      for (const userId of await listOwnerIds(transaction, about.organizationId))
        await insertNotice(transaction, userId, {
          id: newUuid(transaction.now()),
          kind: 'environment_unwatched',
          ...about,
          actorId: null,
          actorName: null,
          createdAt: new Date(transaction.now()),
        });
    }
    return found.length === AT_ONCE;
  });
}

import { inTransaction, type Store } from '../../database/database.ts';
import { newUuid } from '../../platform/ids.ts';
import type { LoopDeclaration } from '../../platform/loop.ts';
import { deleteProjectNotices, insertNotice } from '../organizations/notice-queries.ts';
import { listOwnerIds } from '../organizations/queries.ts';
import { updateExceededAnnounced } from './queries.ts';

const IDLE_MS = 5_000;
/** Maximum limits announced in one transaction. */
const AT_ONCE = 20;

export function declareQuotaNoticeLoop(store: Store): LoopDeclaration {
  return {
    name: 'quota notices',
    round: async () => ((await announceExceeded(store)) ? 'again' : 'idle'),
    idleDelayMs: IDLE_MS,
  };
}

/**
 * Gives OWNERs one notice about a project that has exceeded a limit, which replaces the one before.
 * @returns true if there may be more
 */
export async function announceExceeded(store: Store): Promise<boolean> {
  return inTransaction(store, async (transaction) => {
    const exceeding = await updateExceededAnnounced(transaction, AT_ONCE);
    for (const { since, ...about } of exceeding) {
      const replaced = { projectId: about.projectId, kind: 'quota_exceeded' as const };
      await deleteProjectNotices(transaction, about.organizationId, replaced);
      for (const userId of await listOwnerIds(transaction, about.organizationId))
        await insertNotice(transaction, userId, {
          id: newUuid(transaction.now()),
          kind: 'quota_exceeded',
          ...about,
          environment: null,
          actorId: null,
          actorName: null,
          createdAt: since,
        });
    }
    return exceeding.length > 0;
  });
}

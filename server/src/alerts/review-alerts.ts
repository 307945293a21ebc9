import { inTransaction, type Store } from '../database/database.ts';
import { lockFrames } from '../incidents/frame-queries.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { heldUntil } from '../platform/stored-times.ts';
import { isOpen, markMissing, patienceOf } from './alert-states.ts';
import { columnsOf, stateOf } from './apply-alerts.ts';
import { hasGroupsToReview, lockGroupsToReview, upsertAlertGroup } from './queries.ts';
import { describeMissing } from './words.ts';
import { endAlerts } from './write-alerts.ts';

/** Maximum groups for which a transaction holds the lock on frames. */
const AT_ONCE = 50;
/** Alerts are missing after minutes at the earliest. */
const IDLE_MS = 30_000;

export function declareAlertsLoop(store: Store): LoopDeclaration {
  return {
    name: 'alerts',
    round: async () => ((await reviewAlerts(store)) ? 'again' : 'idle'),
    idleDelayMs: IDLE_MS,
  };
}

/**
 * Ends alerts that are no longer repeated: their sender silences them, or is gone. Any number of workers:
 * each group is locked by one.
 * @returns true if there may be more to do
 */
export async function reviewAlerts(store: Store): Promise<boolean> {
  if (!(await hasGroupsToReview(store.pool, new Date(store.clock.now())))) return false;
  return inTransaction(store, async (transaction) => {
    await lockFrames(transaction);
    const now = transaction.now();
    const groups = await lockGroupsToReview(transaction, new Date(now), AT_ONCE);
    for (const { organizationId, ...due } of groups) {
      const row = { ...due, receivedAt: new Date(heldUntil(due.receivedAt.getTime(), 0, now)) };
      const before = stateOf(row);
      const state = markMissing(before, now);
      await upsertAlertGroup(transaction, { ...row, ...columnsOf(state) });
      if (row.incidentId === null || isOpen(state)) continue;
      const reason = describeMissing(row.origin, patienceOf(before));
      await endAlerts(transaction, organizationId, { incidentId: row.incidentId, reason });
    }
    return groups.length === AT_ONCE;
  });
}

import type { Transaction } from '../database/database.ts';
import { newUuid } from '../platform/ids.ts';
import { insertHistory } from './history-queries.ts';
import type { GroupRow } from './schema.ts';
import { stateOf, updateStates } from './state-queries.ts';
import { insertGroupUpdates } from './update-queries.ts';

interface StateChange {
  before: GroupRow;
  after: GroupRow;
  /** Unset: now. */
  at?: Date | null;
}

/**
 * Writes states and assignees of groups that are locked, with an entry in the history of each, and announces them to viewers.
 * @param userId who changes them; null: the service
 */
export async function writeStates(
  transaction: Transaction,
  changed: readonly StateChange[],
  userId: string | null,
): Promise<void> {
  const nowMs = transaction.now();
  const after = changed.map((change) => change.after);
  await updateStates(transaction, after, userId === null ? 'service' : 'person');
  await insertHistory(
    transaction,
    changed.map((change) => ({
      id: newUuid(nowMs),
      group: change.before,
      userId,
      before: stateOf(change.before),
      after: stateOf(change.after),
      createdAt: change.at ?? new Date(nowMs),
    })),
  );
  await insertGroupUpdates(transaction, 'group_changed', after);
}

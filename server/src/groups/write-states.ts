import type { Queryable } from '../database/database.ts';
import { newUuid } from '../platform/ids.ts';
import type { GroupRow } from './group-row.ts';
import { insertHistory } from './history-queries.ts';
import { stateOf, updateStates } from './state-queries.ts';
import { insertGroupUpdates } from './update-queries.ts';

export interface StateChange {
  before: GroupRow;
  after: GroupRow;
  at: Date;
  /** Release that reopened a resolved group; unset: none did. */
  regressedIn?: string | null;
}

/**
 * Writes states and assignees of locked groups, with an entry in the history of each, and announces them to viewers:
 * the only way in which the state of a group changes.
 * @param userId user who changes them; null: the service
 */
export async function writeStates(
  database: Queryable,
  changes: readonly StateChange[],
  userId: string | null,
): Promise<void> {
  const after = changes.map((change) => change.after);
  await updateStates(database, after, userId === null ? 'service' : 'person');
  await insertHistory(
    database,
    changes.map(({ before, after: changed, at, regressedIn = null }) => ({
      id: newUuid(at.getTime()),
      group: before,
      userId,
      before: stateOf(before),
      after: { ...stateOf(changed), ...(regressedIn !== null && { regressedIn }) },
      createdAt: at,
    })),
  );
  await insertGroupUpdates(database, 'group_changed', after);
}

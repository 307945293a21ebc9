import type { Queryable } from '../../database/database.ts';
import { addCells, type GroupOutcome, listKinds } from './count-queries.ts';
import { createGroups } from './create-groups.ts';
import { settleGroups } from './settle-groups.ts';

/** Each round locks the groups that it meets, so the next one counts in them. */
const MAX_ROUNDS = 5;

/** Groups that began, kinds beyond the bound on new groups, and groups that regressed. */
export interface GroupChanges {
  created: number;
  folded: number;
  regressed: number;
}

/**
 * Does what storing a batch leaves of its groups, in the same transaction and so exactly once: begins groups for new kinds
 * of events and counts these there, then reopens what regressed and ends mutes. Cells come back as well where another
 * transaction has merged or deleted their group at that moment.
 * @throws SQLSTATE 55P03 where another transaction holds a group that began or was merged meanwhile: the caller begins again
 */
export async function finishGroups(transaction: Queryable, stored: GroupOutcome): Promise<GroupChanges> {
  const changes: GroupChanges = { created: 0, folded: 0, regressed: 0 };
  let { cells, arrivals } = stored;
  for (let round = 0; cells !== null; round++) {
    if (round === MAX_ROUNDS)
      throw new Error('Groups are merged or deleted again and again while events are counted.');
    const { created, folded } = await createGroups(transaction, await listKinds(transaction, cells));
    changes.created += created;
    changes.folded += folded;
    const added = await addCells(transaction, cells);
    cells = added.cells;
    arrivals = arrivals.concat(added.arrivals);
  }
  changes.regressed = await settleGroups(transaction, arrivals);
  return changes;
}

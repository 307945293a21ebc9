import type { Queryable } from '../../database/database.ts';
import { addCells, type GroupOutcome, listUncounted } from './count-queries.ts';
import { createGroups } from './create-groups.ts';
import { reopenGroups } from './reopen-groups.ts';

/** Each round locks the groups that it meets, so the next one counts in them. */
const MAX_ROUNDS = 5;

/** Groups that began, fingerprints beyond the limit on new groups, and groups that regressed. */
export interface GroupChanges {
  created: number;
  folded: number;
  regressed: number;
}

/**
 * Finishes the groups of a stored batch, in the same transaction and so exactly once: begins groups for new
 * fingerprints and counts their events there, then reopens regressed groups and ends mutes. Cells come back as well
 * if another transaction has merged or deleted their group at that moment.
 * @param hour hour of storing where projects keep samples; null: none does
 * @throws SQLSTATE 55P03 if another transaction has locked a group that began or was merged meanwhile: the caller
 * begins again
 */
export async function finishGroups(
  transaction: Queryable,
  stored: GroupOutcome,
  hour: Date | null = null,
): Promise<GroupChanges> {
  const changes: GroupChanges = { created: 0, folded: 0, regressed: 0 };
  let { cells, arrivals } = stored;
  for (let round = 0; cells !== null; round++) {
    if (round === MAX_ROUNDS)
      throw new Error('Groups are repeatedly merged or deleted while events are counted.');
    const { created, folded } = await createGroups(transaction, await listUncounted(transaction, cells));
    changes.created += created;
    changes.folded += folded;
    const added = await addCells(transaction, cells, hour);
    cells = added.cells;
    arrivals = arrivals.concat(added.arrivals);
  }
  changes.regressed = await reopenGroups(transaction, arrivals);
  return changes;
}

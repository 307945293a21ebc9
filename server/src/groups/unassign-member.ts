import { inTransaction, type Store } from '../database/database.ts';
import { findMembership } from '../tenancy/organizations/queries.ts';
import { listAssignedGroups, MAX_ASSIGNED_GROUPS } from './assignee-queries.ts';
import { lockGroupsForChange } from './lock-for-change.ts';
import { writeStates } from './write-states.ts';

/**
 * Removes a user who has left an organization from its groups, which would otherwise be missing among those without
 * an assignee. Called after the transaction that ends the membership, and bounded in each of its own. A user who is a
 * member again keeps the rest.
 */
export async function unassignMember(store: Store, organizationId: string, userId: string): Promise<void> {
  let listed: number;
  do {
    const assigned = await listAssignedGroups(store.pool, organizationId, userId);
    listed = assigned.length;
    if (listed > 0 && !(await unassign(store, { organizationId, userId, groupIds: assigned }))) return;
  } while (listed === MAX_ASSIGNED_GROUPS);
}

/** @returns false: the user is a member of the organization */
async function unassign(
  store: Store,
  { organizationId, userId, groupIds }: { organizationId: string; userId: string; groupIds: string[] },
): Promise<boolean> {
  return inTransaction(store, async (transaction) => {
    if ((await findMembership(transaction, userId))?.organizationId === organizationId) return false;
    const locked = await lockGroupsForChange(transaction, groupIds);
    const at = new Date(transaction.now());
    const changed = locked
      .filter(({ assigneeId }) => assigneeId === userId)
      .map((before) => ({ before, after: { ...before, assigneeId: null }, at }));
    await writeStates(transaction, changed, null);
    return true;
  });
}

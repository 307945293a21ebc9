import type { Session } from '../accounts/queries.ts';
import { recordChange } from '../audit/queries.ts';
import { inTransaction, type Store } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { toId } from '../platform/ids.ts';
import { lockOrganization, updateOrganization } from './queries.ts';
import type { OrganizationRow, Plan } from './schema.ts';

/**
 * Changes name or plan; the plan only for an OWNER.
 * @throws ApiError `forbidden`
 */
export async function changeOrganization(
  store: Store,
  session: Session,
  patch: { name?: string; plan?: Plan },
): Promise<OrganizationRow> {
  if (patch.plan !== undefined && session.role !== 'OWNER') {
    throw new ApiError('forbidden', 'Only an OWNER may change the plan.');
  }
  return inTransaction(store, async (transaction) => {
    const before = await lockOrganization(transaction, session.organizationId);
    if (!before) throw new ApiError('unauthenticated', 'The organization was removed in this moment.');
    const after = { ...before, name: patch.name?.trim() ?? before.name, plan: patch.plan ?? before.plan };
    if (after.name === before.name && after.plan === before.plan) return before;
    await updateOrganization(transaction, before.id, after);
    await recordChange(
      transaction,
      { organizationId: before.id, userId: session.user.id },
      {
        action: 'organization.changed',
        targetId: toId('org', before.id),
        before: { name: before.name, plan: before.plan },
        after: { name: after.name, plan: after.plan },
      },
    );
    return after;
  });
}

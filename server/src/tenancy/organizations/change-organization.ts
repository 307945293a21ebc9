import { inTransaction, type Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { changedFields, pick } from '../audit/changed-fields.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Plan, Session } from '../session.ts';
import { lockOrganization, updateOrganization } from './queries.ts';
import type { OrganizationRow } from './schema.ts';

/** Fields of an organization that the audit log shows. */
const FIELDS = ['name', 'plan'] as const;

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
    throw new ApiError('forbidden', 'Only an OWNER can change the plan.');
  }
  return inTransaction(store, async (transaction) => {
    const before = await lockOrganization(transaction, session.organizationId);
    if (!before) throw new ApiError('unauthenticated', 'This organization has just been removed.');
    const after = { ...before, name: patch.name?.trim() ?? before.name, plan: patch.plan ?? before.plan };
    if (changedFields(before, after, FIELDS).length === 0) return before;
    await updateOrganization(transaction, before.id, after);
    await recordChange(transaction, session, {
      action: 'organization.changed',
      target: ['org', before.id],
      before: pick(before, FIELDS),
      after: pick(after, FIELDS),
    });
    return after;
  });
}

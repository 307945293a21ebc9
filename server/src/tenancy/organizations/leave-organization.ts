import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Session } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { ORGANIZATION_ERRORS } from './errors.ts';
import { deleteNoticesAbout } from './notice-queries.ts';
import {
  findMembership,
  insertOrganization,
  listMembers,
  lockOrganization,
  updateMembership,
} from './queries.ts';
import type { MemberRow, OrganizationRow } from './schema.ts';

/**
 * Moves the user of the session from the organization to a new, empty one.
 * @returns the new organization
 * @throws ApiError `last_owner`
 */
export async function leaveOrganization(store: Store, session: Session): Promise<OrganizationRow> {
  const { organizationId, user } = session;
  return inTransaction(store, async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const member = await findMembership(transaction, user.id);
    if (member?.organizationId !== organizationId) {
      throw new ApiError('unauthenticated', 'The user has just been moved to another organization.');
    }
    await assertNotLastOwner(transaction, organizationId, member);
    const organization = await moveToNewOrganization(transaction, member);
    await deleteNoticesAbout(transaction, user.id, organizationId);
    await recordChange(transaction, session, {
      action: 'member.left',
      target: ['usr', user.id],
      before: { role: member.role },
      after: null,
    });
    await notifySessionsChanged(transaction);
    return organization;
  });
}

/** Creates an organization with the user's name and makes the user its OWNER. */
export async function moveToNewOrganization(
  transaction: Transaction,
  member: MemberRow,
): Promise<OrganizationRow> {
  const now = transaction.now();
  const createdAt = new Date(now);
  const organization: OrganizationRow = { id: newUuid(now), name: member.name, plan: 'free', createdAt };
  await insertOrganization(transaction, organization);
  await updateMembership(transaction, organization.id, {
    userId: member.id,
    role: 'OWNER',
    createdAt,
    isConfirmed: true,
  });
  return organization;
}

/** @throws ApiError `last_owner`; the transaction has locked the organization's row */
export async function assertNotLastOwner(
  transaction: Transaction,
  organizationId: string,
  member: MemberRow,
): Promise<void> {
  const owners = (await listMembers(transaction, organizationId)).filter(({ role }) => role === 'OWNER');
  if (owners.some(({ id }) => id !== member.id) || member.role !== 'OWNER') return;
  throw new ApiError(
    ORGANIZATION_ERRORS.last_owner,
    'The last OWNER can’t leave or step down. Make someone else an OWNER first.',
  );
}

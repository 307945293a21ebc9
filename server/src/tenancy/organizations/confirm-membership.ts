import { inTransaction, type Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Session } from '../session.ts';
import { deleteMembershipNotices } from './notice-queries.ts';
import { findMembership, lockOrganization, updateMemberConfirmed } from './queries.ts';

/**
 * Records that the user of the session agrees to a membership that an OWNER made.
 * @param organizationId sent by the client: the agreement is to no other organization that the user was moved to
 * meanwhile
 * @throws ApiError `not_found`
 */
export async function confirmMembership(
  store: Store,
  session: Session,
  organizationId: string,
): Promise<void> {
  const { user } = session;
  await inTransaction(store, async (transaction) => {
    await lockOrganization(transaction, session.organizationId);
    const member = await findMembership(transaction, user.id);
    const isMember = member?.organizationId === session.organizationId;
    if (!isMember || member.organizationId !== toUuid('org', organizationId))
      throw new ApiError('not_found', 'You are not a member of this organization.');
    await deleteMembershipNotices(transaction, user.id, member.organizationId);
    if (member.confirmedAt) return;
    await updateMemberConfirmed(transaction, member.organizationId, user.id, new Date(transaction.now()));
    await recordChange(transaction, session, {
      action: 'member.confirmed',
      target: ['usr', user.id],
      before: null,
      after: null,
    });
  });
}

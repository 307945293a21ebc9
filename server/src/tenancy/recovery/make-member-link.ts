import { inTransaction, type Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { recordChange } from '../audit/record-change.ts';
import { notifyMember, requireOwnMember } from '../organizations/change-members.ts';
import type { Session } from '../session.ts';
import { assertConfirmed } from './assert-confirmed.ts';
import { type IssuedLink, issueRecoveryLink } from './issue-link.ts';

/**
 * Creates a link by which a member sets a new password; the OWNER of the session never learns the password, and the
 * member gets a notice.
 * @throws ApiError `not_found`, `forbidden`, `membership_not_confirmed`
 */
export async function makeMemberLink(
  store: Store,
  session: Session,
  memberId: string,
): Promise<IssuedLink & { email: string }> {
  return inTransaction(store, async (transaction) => {
    const member = await requireOwnMember(transaction, session, memberId);
    // A copied session must not become a known password.
    if (member.id === session.user.id) {
      throw new ApiError('forbidden', 'Change your own password under Account, with the current one.');
    }
    assertConfirmed(member);
    const link = await issueRecoveryLink(transaction, {
      userId: member.id,
      origin: 'owner',
      createdBy: session.user.id,
    });
    if (!link) throw new Error('The link of an OWNER was not created.');
    await recordChange(transaction, session, {
      action: 'member.recovery_link_created',
      target: ['usr', member.id],
      before: null,
      after: null,
    });
    await notifyMember(transaction, session, 'recovery_link_created', member.id);
    return { ...link, email: member.email };
  });
}

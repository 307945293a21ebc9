import { inTransaction, type Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { lockUser } from '../accounts/queries.ts';
import { recordChange } from '../audit/record-change.ts';
import { notifyMember, requireOwnMember } from '../organizations/change-members.ts';
import { SECOND_FACTOR_ERRORS } from '../second-factor/errors.ts';
import { deleteFactor, findFactor } from '../second-factor/queries.ts';
import type { Session } from '../session.ts';
import { assertConfirmed } from './assert-confirmed.ts';

/**
 * Turns off two-factor authentication of a member who lost the app and the recovery codes. The member gets a notice.
 * @throws ApiError `not_found`, `forbidden`, `membership_not_confirmed`, `totp_not_active`
 */
export async function turnOffMemberTotp(store: Store, session: Session, memberId: string): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const member = await requireOwnMember(transaction, session, memberId);
    if (member.id === session.user.id) {
      throw new ApiError('forbidden', 'Turn off your own under Account, with your password and a code.');
    }
    assertConfirmed(member);
    await lockUser(transaction, member.id);
    const factor = await findFactor(transaction, member.id);
    if (!factor?.activatedAt) {
      throw new ApiError(
        SECOND_FACTOR_ERRORS.totp_not_active,
        `${member.name} does not use two-factor authentication.`,
      );
    }
    await deleteFactor(transaction, member.id);
    await recordChange(transaction, session, {
      action: 'member.totp_disabled',
      target: ['usr', member.id],
      before: null,
      after: null,
    });
    await notifyMember(transaction, session, 'totp_disabled', member.id);
  });
}

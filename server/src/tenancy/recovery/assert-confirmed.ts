import type { Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { hasNotice } from '../organizations/notice-queries.ts';
import type { MemberRow } from '../organizations/schema.ts';
import type { Session } from '../session.ts';
import { RECOVERY_ERRORS } from './errors.ts';

/**
 * An OWNER of any organization can move a user into it: that alone must not give access to the account.
 * @throws ApiError `membership_not_confirmed`
 */
export async function assertConfirmed(
  transaction: Transaction,
  session: Session,
  member: Pick<MemberRow, 'id' | 'name'>,
): Promise<void> {
  if (!(await hasNotice(transaction, member.id, session.organizationId, 'member_added'))) return;
  throw new ApiError(
    RECOVERY_ERRORS.membership_not_confirmed,
    `${member.name} was added by the user id and has not dismissed the notice about it. Until then only the operator can do this: tocsin reset-password, tocsin reset-totp.`,
  );
}

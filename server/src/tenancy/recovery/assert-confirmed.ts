import { ApiError } from '../../platform/errors.ts';
import type { MemberRow } from '../organizations/schema.ts';
import { RECOVERY_ERRORS } from './errors.ts';

/**
 * Asserts that the member agreed to the membership: an OWNER of any organization can move a user into it, and that
 * alone must not give access to the account.
 * @throws ApiError `membership_not_confirmed`
 */
export function assertConfirmed({ name, confirmedAt }: Pick<MemberRow, 'name' | 'confirmedAt'>): void {
  if (confirmedAt) return;
  throw new ApiError(
    RECOVERY_ERRORS.membership_not_confirmed,
    `${name} was added by the user id and has not chosen to stay. ${name} can do so in the notice about it, or under Settings → Organization. Until then only the operator can do this: tocsin reset-password, tocsin reset-totp.`,
  );
}

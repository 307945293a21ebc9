import type { Queryable, Transaction } from '../../database/database.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { lockOrganization } from '../organizations/queries.ts';
import { hashSecret, isWellFormedSecret } from '../secret-format.ts';
import { INVITATION_ERRORS } from './errors.ts';
import { findInvitation, updateAccepted } from './queries.ts';
import type { FoundInvitation } from './schema.ts';

/**
 * Finds the invitation of a token, if it can be accepted now.
 * @throws ApiError `invalid_invitation` with the reason, which only a holder of the token learns
 */
export async function requireInvitation(
  database: Queryable,
  token: string,
  nowMs: number,
): Promise<FoundInvitation> {
  const invitation = isWellFormedSecret('tsn_inv_', token)
    ? await findInvitation(database, hashSecret(token))
    : null;
  if (!invitation || !invitation.isCreatorOwner) {
    throw invalid('This invitation does not exist or has been revoked. Ask for a new one.');
  }
  if (invitation.acceptedAt !== null) throw invalid('This invitation has been used. Ask for a new one.');
  if (invitation.expiresAt.getTime() <= nowMs) {
    throw invalid('This invitation has expired. Ask for a new one.');
  }
  return invitation;
}

/**
 * Marks an invitation as used by a user with this address, in the transaction that makes the user a member. The
 * organization's row is locked until its end, so of two users at the same moment one fails.
 * @param email normalized
 * @throws ApiError `invalid_invitation`, `invitation_for_other`
 */
export async function useInvitation(
  transaction: Transaction,
  token: string,
  email: string,
): Promise<FoundInvitation> {
  const { organizationId } = await requireInvitation(transaction, token, confirmedTime(transaction));
  await lockOrganization(transaction, organizationId);
  // It may have been used or revoked, or its creator removed, during the wait for the lock.
  const nowMs = confirmedTime(transaction);
  const invitation = await requireInvitation(transaction, token, nowMs);
  assertIsFor(invitation, email);
  if (!(await updateAccepted(transaction, organizationId, invitation.id, new Date(nowMs)))) {
    throw invalid('This invitation has been used. Ask for a new one.');
  }
  return invitation;
}

/** @throws ApiError `invitation_for_other` */
export function assertIsFor({ email }: FoundInvitation, ownEmail: string): void {
  if (email === null || email === ownEmail) return;
  throw new ApiError(
    INVITATION_ERRORS.invitation_for_other,
    `This invitation is for ${email}. Use an account with that address, or ask for another invitation.`,
  );
}

function invalid(sentence: string): ApiError {
  return new ApiError(INVITATION_ERRORS.invalid_invitation, sentence);
}

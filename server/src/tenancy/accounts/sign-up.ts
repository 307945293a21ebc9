import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { isUniqueViolation } from '../../database/sql-state.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toId } from '../../platform/ids.ts';
import { recordChange } from '../audit/record-change.ts';
import { normalizeEmail } from '../email.ts';
import { requireInvitation, useInvitation } from '../invitations/use-invitation.ts';
import { organizationIsFull } from '../organizations/change-members.ts';
import { MAX_MEMBERS } from '../organizations/move-member.ts';
import { insertMember, insertOrganization, listMembers } from '../organizations/queries.ts';
import { ACCOUNT_ERRORS } from './errors.ts';
import type { PasswordHasher } from './passwords.ts';
import { insertUser, lockFirstSignUp, type NewUser } from './queries.ts';
import type { SessionOrigin } from './schema.ts';
import { type NewSession, openSession } from './sessions.ts';
import { requireSignUp, type SignUpMode } from './sign-up-policy.ts';

export interface SignUpDependencies extends Store {
  passwords: PasswordHasher;
  signUpMode: SignUpMode;
}

export interface SignUpInput {
  name: string;
  email: string;
  password: string;
  /** Token of an invitation. */
  invitation?: string;
  /** Client's address as `addressKey` returns it. */
  address: string;
  origin: SessionOrigin;
}

/**
 * Creates a user with a membership and a session in one transaction: OWNER of a new organization that is named after
 * the user, or the invitation's role, in its organization.
 * @throws ApiError `signup_closed`, `invitation_required`, `invalid_invitation`, `invitation_for_other`,
 * `email_taken`, `limit_reached` (the organization is full)
 */
export async function signUp(
  { passwords, signUpMode, ...store }: SignUpDependencies,
  input: SignUpInput,
): Promise<NewSession> {
  const { invitation } = input;
  const isInvited = invitation !== undefined;
  // Before the password is hashed, which is expensive.
  await requireSignUp(store.pool, signUpMode, isInvited);
  if (isInvited) await requireInvitation(store.pool, invitation, confirmedTime(store.clock));
  const passwordHash = await passwords.hash(input.password, { address: input.address, trusted: null });
  const now = store.clock.now();
  const createdAt = new Date(now);
  const name = input.name.trim();
  const user = { id: newUuid(now), name, email: normalizeEmail(input.email), passwordHash, createdAt };
  try {
    return await inTransaction(store, async (transaction) => {
      if (signUpMode !== 'open') await lockFirstSignUp(transaction);
      await requireSignUp(transaction, signUpMode, isInvited);
      await insertUser(transaction, user);
      const joined = isInvited
        ? await joinOrganization(transaction, user, invitation)
        : await foundOrganization(transaction, user);
      const actor = { organizationId: joined.organizationId, user };
      await recordChange(transaction, actor, {
        action: 'account.signed_up',
        target: ['usr', user.id],
        before: null,
        after: {
          name,
          email: user.email,
          organizationId: toId('org', joined.organizationId),
          ...joined.audited,
        },
      });
      return openSession(transaction, user.id, input.origin);
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) {
      throw new ApiError(ACCOUNT_ERRORS.email_taken, 'This email is already registered. Log in instead.');
    }
    throw error;
  }
}

/** The membership of a new user, with further details for the audit log. */
interface NewMembership {
  organizationId: string;
  audited: object;
}

async function foundOrganization(transaction: Transaction, user: NewUser): Promise<NewMembership> {
  const { id: userId, name, createdAt } = user;
  const organization = { id: newUuid(createdAt.getTime()), name, createdAt };
  await insertOrganization(transaction, organization);
  await insertMember(transaction, organization.id, { userId, role: 'OWNER', createdAt });
  return { organizationId: organization.id, audited: {} };
}

async function joinOrganization(
  transaction: Transaction,
  user: NewUser,
  token: string,
): Promise<NewMembership> {
  const { id, organizationId, role } = await useInvitation(transaction, token, user.email);
  if ((await listMembers(transaction, organizationId)).length >= MAX_MEMBERS) throw organizationIsFull();
  await insertMember(transaction, organizationId, { userId: user.id, role, createdAt: user.createdAt });
  return { organizationId, audited: { role, invitationId: toId('inv', id) } };
}

import { queryOptions, skipToken } from '@tanstack/react-query';
import { request } from '../../lib/api.ts';
import type {
  ConfirmationOfferRecord,
  InvitationOfferRecord,
  LogIn,
  MemberRecord,
  OrganizationRecord,
  RecoveryOfferRecord,
  SessionRecord,
  SignUp,
} from '../../lib/api-types.ts';
import { forgetDraftsOfOthers } from '../../lib/draft.ts';
import { queryClient, sessionQuery } from '../../lib/queries.ts';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { texts } from './texts.ts';

export const signUp = (body: SignUp) => request<SessionRecord>('POST', '/auth/signup', { body });

/**
 * Signs up, and names the new organization unless the name is empty: then it has that of the user.
 * A failure to name it does not undo the sign-up; a message says so.
 */
export async function signUpWithOrganization({
  organization: name = '',
  ...account
}: SignUp & { organization?: string }): Promise<SessionRecord> {
  const session = await signUp(account);
  if (name === '') return session;
  try {
    const organization = await request<OrganizationRecord>('PATCH', '/organizations/me', { body: { name } });
    return { ...session, organization: { ...session.organization, name: organization.name } };
  } catch (error) {
    showToast(texts.signUpForm.unnamed(error instanceof Error ? error.message : ''), { lasting: true });
    return session;
  }
}

export const logIn = (body: LogIn) => request<SessionRecord>('POST', '/auth/login', { body });

/** Sent by POST, since an address would be logged. */
export const invitationQuery = (invitation: string | null) =>
  queryOptions({
    queryKey: ['invitation', invitation],
    queryFn:
      invitation === null
        ? skipToken
        : ({ signal }) =>
            request<InvitationOfferRecord>('POST', '/invitations/lookup', { body: { invitation }, signal }),
    staleTime: 60_000,
  });

export const acceptInvitation = (invitation: string) =>
  request<MemberRecord>('POST', '/invitations/accept', { body: { invitation } });

export const recoveryQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['recovery', token],
    queryFn:
      token === null
        ? skipToken
        : ({ signal }) =>
            request<RecoveryOfferRecord>('POST', '/auth/password-reset/lookup', { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    // The link is used up by the form, while the page stays open.
    refetchOnWindowFocus: false,
  });

export const confirmationQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['confirmation', token],
    queryFn:
      token === null
        ? skipToken
        : ({ signal }) =>
            request<ConfirmationOfferRecord>('POST', '/notification-recipients/lookup', {
              body: { token },
              signal,
            }),
    staleTime: 60_000,
  });

export const confirmAddress = (token: string) =>
  request('POST', '/notification-recipients/confirm', { body: { token } });

export const confirmEmail = (token: string) =>
  request<{ email: string }>('POST', '/auth/email/confirm', { body: { token } });

export const requestReset = (email: string) => request('POST', '/auth/password-reset', { body: { email } });

export const setPassword = (body: { token: string; password: string; revokeTokens: boolean }) =>
  request('POST', '/auth/password-reset/confirm', { body });

/** Sets the session's user and drops the data of the previous one. */
export function beginSession(session: SessionRecord): void {
  forgetDraftsOfOthers(session.user.id);
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type {
  AuditRecord,
  InvitationRecord,
  MemberRecord,
  NewInvitationRecord,
  OrganizationRecord,
  RecoveryLinkRecord,
  Role,
} from '../../lib/api-types.ts';
import { membersQuery, queryClient, sessionQuery } from '../../lib/queries.ts';

export const organizationQuery = queryOptions({
  queryKey: ['organization', 'me'],
  queryFn: ({ signal }) => request<OrganizationRecord>('GET', '/organizations/me', { signal }),
});

export const auditQuery = infiniteQueryOptions({
  queryKey: ['organization', 'audit'],
  queryFn: ({ pageParam, signal }) =>
    requestPage<AuditRecord>(withQuery('/organizations/audit', { cursor: pageParam }), signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
});

/** Returns the role of the logged-in user; undefined until it is known. */
export function useOwnRole(): Role | undefined {
  const { data: session } = useQuery(sessionQuery);
  const { data: members } = useQuery(membersQuery);
  return members?.find(({ user }) => user.id === session?.user.id)?.role;
}

export function changeOrganization(changes: Pick<OrganizationRecord, 'name'>): Promise<OrganizationRecord> {
  return request('PATCH', '/organizations/me', { body: changes });
}

interface Membership {
  organizationId: string;
  userId: string;
}

export function addMember({ organizationId, ...body }: Membership & { role: Role }): Promise<MemberRecord> {
  return request('POST', `/organizations/${organizationId}/members`, { body });
}

export function changeRole({ role, ...membership }: Membership & { role: Role }): Promise<MemberRecord> {
  return request('PATCH', pathOf(membership), { body: { role } });
}

export function removeMember(membership: Membership): Promise<void> {
  return request('DELETE', pathOf(membership));
}

export function makeRecoveryLink(membership: Membership): Promise<RecoveryLinkRecord> {
  return request('POST', `${pathOf(membership)}/recovery-link`);
}

export function turnOffTwoFactor(membership: Membership): Promise<void> {
  return request('DELETE', `${pathOf(membership)}/totp`);
}

/** Leaves the organization. Returns the user's new one. */
export function leaveOrganization(): Promise<OrganizationRecord> {
  return request('POST', '/organizations/me/leave');
}

export const invitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', 'invitations'],
    queryFn: ({ signal }) =>
      request<InvitationRecord[]>('GET', `/organizations/${organizationId}/invitations`, { signal }),
  });

interface InvitationRequest {
  organizationId: string;
  role: Role;
  email: string | null;
  expiresInDays: number;
}

export function invite({ organizationId, ...body }: InvitationRequest): Promise<NewInvitationRecord> {
  return request('POST', `/organizations/${organizationId}/invitations`, { body });
}

export function revokeInvitation(organizationId: string, id: string): Promise<void> {
  return request('DELETE', `/organizations/${organizationId}/invitations/${id}`);
}

export function readInvitationsAgain(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['organization', 'invitations'] });
}

function pathOf({ organizationId, userId }: Membership): string {
  return `/organizations/${organizationId}/members/${userId}`;
}

/** Reads the organization again, and the session, which holds a copy of it. */
export async function readAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['organization'] }),
    queryClient.invalidateQueries({ queryKey: ['session'] }),
  ]);
}

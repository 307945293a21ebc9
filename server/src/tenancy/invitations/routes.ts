import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import type { AddressLimit } from '../address-limit.ts';
import { dashboardLink, PATH_HINT } from '../dashboard-link.ts';
import { normalizeEmail } from '../email.ts';
import { assertOwner } from '../organizations/change-members.ts';
import { findMembership } from '../organizations/queries.ts';
import { Member, toMember } from '../organizations/schema.ts';
import { sessionOf } from '../session.ts';
import { acceptInvitation } from './accept-invitation.ts';
import type { InvitationMail } from './invitation-mail.ts';
import { invite, revokeInvitation } from './invite.ts';
import { listOpenInvitations } from './queries.ts';
import {
  CreatedInvitation,
  DEFAULT_EXPIRY_DAYS,
  Invitation,
  InvitationOffer,
  InvitationToken,
  NewInvitation,
  toInvitation,
  toOffer,
} from './schema.ts';
import { requireInvitation } from './use-invitation.ts';

const InOrganization = Type.Object({ orgId: IdText });

interface LookupDependencies extends Store {
  limit: AddressLimit;
}

interface InvitationDependencies extends Store {
  publicUrl: URL | null;
  invitationMail: InvitationMail | null;
}

const lookup = routesOf<LookupDependencies>('Invitations');
const route = routesOf<InvitationDependencies>('Invitations');

/** For users without a session, who choose to sign up or to log in. */
export const publicInvitationRoutes = [
  lookup.post('/invitations/lookup', {
    summary: 'Read what an invitation offers',
    description: 'Changes nothing, and is no GET, so that the token is in no address.',
    security: [],
    body: Type.Object({ invitation: InvitationToken }),
    answer: InvitationOffer,
    handle: async (request, { pool, clock, limit }) => {
      limit(request);
      const nowMs = confirmedTime(clock);
      return toOffer(await requireInvitation(pool, request.body.invitation, nowMs), nowMs);
    },
  }),
];

export const invitationRoutes = [
  route.post('/invitations/accept', {
    summary: 'Accept an invitation',
    description:
      'Moves the user of the session into the organization. The organization that the user leaves must hold no other user and no project, and is removed.',
    body: Type.Object({ invitation: InvitationToken }),
    answer: Member,
    handle: async (request, store) => {
      const session = sessionOf(request);
      await acceptInvitation(store, session, request.body.invitation);
      const member = await findMembership(store.pool, session.user.id);
      if (!member) throw new ApiError('unauthenticated', 'This account has just been removed.');
      return toMember(member);
    },
  }),

  route.get('/organizations/:orgId/invitations', {
    summary: 'List the open invitations',
    description: 'For OWNERs. Newest first; never their links.',
    params: InOrganization,
    answer: Type.Array(Invitation),
    handle: async (request, { pool, clock }) => {
      const session = sessionOf(request);
      assertOwner(session, request.params.orgId);
      const nowMs = confirmedTime(clock);
      const rows = await listOpenInvitations(pool, session.organizationId, new Date(nowMs));
      return rows.map((row) => toInvitation(row, nowMs));
    },
  }),

  route.post('/organizations/:orgId/invitations', {
    summary: 'Invite a user by a link',
    description:
      'For OWNERs. The link works once, until it expires, is revoked, or the OWNER who made it is no longer one. It gives no access until it is accepted. With `email`, and a service that sends mail, the link goes there as well.',
    params: InOrganization,
    body: NewInvitation,
    answer: CreatedInvitation,
    status: 201,
    handle: async (request, { publicUrl, invitationMail, ...store }) => {
      const session = sessionOf(request);
      assertOwner(session, request.params.orgId);
      const { role = 'MEMBER', email = null, expiresInDays = DEFAULT_EXPIRY_DAYS } = request.body;
      const { row, token } = await invite(store, session, {
        role,
        email: email === null ? null : normalizeEmail(email),
        expiresInDays,
      });
      const url = dashboardLink(publicUrl, 'join', token);
      const { organization, user } = session;
      const mail =
        invitationMail && row.email !== null
          ? invitationMail.send({
              email: row.email,
              token,
              organization: { id: session.organizationId, name: organization.name },
              inviterName: user.name,
              expiresAt: row.expiresAt,
            })
          : 'none';
      return { ...toInvitation(row, store.clock.now()), url, hint: publicUrl ? null : PATH_HINT, mail };
    },
  }),

  route.delete('/organizations/:orgId/invitations/:id', {
    summary: 'Revoke an open invitation',
    description: 'For OWNERs.',
    params: Type.Object({ orgId: IdText, id: IdText }),
    handle: async (request, store) => {
      const session = sessionOf(request);
      assertOwner(session, request.params.orgId);
      await revokeInvitation(store, session, request.params.id);
    },
  }),
];

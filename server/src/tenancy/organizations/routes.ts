import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import { linkNextPage, pageOf, pageSize, readPage } from '../../http/pages.ts';
import { routesOf } from '../../http/route.ts';
import { Cursor, IdText, Limit, WHOLE_LIST, WholeListQuery } from '../../http/schemas.ts';
import { ApiError } from '../../platform/errors.ts';
import { listAuditEntries } from '../audit/queries.ts';
import { sessionOf } from '../session.ts';
import { addMember, assertOwner, changeRole, removeMember } from './change-members.ts';
import { changeOrganization } from './change-organization.ts';
import { confirmMembership } from './confirm-membership.ts';
import { leaveOrganization } from './leave-organization.ts';
import { readMemberCursor, toMemberCursor } from './member-cursor.ts';
import { listMemberPage } from './queries.ts';
import {
  AuditEntry,
  Member,
  MemberPatch,
  NewMember,
  Organization,
  OrganizationPatch,
  toAuditEntry,
  toMember,
  toOrganization,
} from './schema.ts';

const InOrganization = Type.Object({ orgId: IdText });
const MemberPath = Type.Object({ orgId: IdText, userId: IdText });

/** Called with UUIDs after a membership has ended. */
type MemberLeft = (organizationId: string, userId: string) => Promise<void>;

const route = routesOf<Store & { publicUrl: URL | null; memberLeft: MemberLeft }>('Organizations');

export const organizationRoutes = [
  route.get('/organizations/me', {
    summary: 'The organization of the session',
    description: 'A token has the organization in which it was made.',
    answer: Organization,
    handle: (request) => toOrganization(sessionOf(request).organization),
  }),

  route.patch('/organizations/me', {
    summary: 'Change name or plan',
    description: 'The plan only for an OWNER.',
    body: OrganizationPatch,
    answer: Organization,
    handle: async (request, store) =>
      toOrganization(await changeOrganization(store, sessionOf(request), request.body)),
  }),

  route.post('/organizations/me/leave', {
    summary: 'Leave the organization',
    description:
      'For everyone but the last OWNER. The user gets a new, empty organization, in which the sessions continue.',
    answer: Organization,
    handle: async (request, { memberLeft, ...store }) => {
      const session = sessionOf(request);
      const organization = await leaveOrganization(store, session);
      await memberLeft(session.organizationId, session.user.id);
      return toOrganization(organization);
    },
  }),

  route.post('/organizations/:orgId/stay', {
    summary: 'Agree to a membership that an OWNER made',
    description:
      'An OWNER can then make a recovery link for the user, who sets a new password with it, and turn off the user’s two-factor authentication. Who signed up or joined by an invitation has agreed already.',
    params: InOrganization,
    handle: async (request, store) => {
      await confirmMembership(store, sessionOf(request), request.params.orgId);
    },
  }),

  route.get('/organizations/members', {
    summary: 'List the members',
    description: 'The first to join first; where there is a next page, it is in the `Link` header.',
    querystring: WholeListQuery,
    answer: Type.Array(Member),
    handle: async (request, { publicUrl, pool }, reply) => {
      const limit = pageSize(request.query.limit ?? WHOLE_LIST);
      const after = readMemberCursor(request.query.cursor);
      const rows = await listMemberPage(pool, sessionOf(request).organizationId, { after, limit });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      if (last && rows.length > limit) {
        const cursor = toMemberCursor({ joinedAt: last.createdAt, userId: last.id });
        linkNextPage(request, reply, cursor, publicUrl);
      }
      return page.map(toMember);
    },
  }),

  route.post('/organizations/:orgId/members', {
    summary: 'Add an existing user',
    description:
      'For OWNERs. The user moves here and gets a notice; the organization that the user leaves must hold no other user and no project, and is removed. A user who cannot be added is answered like an unknown id.',
    params: InOrganization,
    body: NewMember,
    answer: Member,
    status: 201,
    handle: async (request, store) => {
      const session = sessionOf(request);
      assertOwner(session, request.params.orgId);
      const { userId, role = 'MEMBER' } = request.body;
      return toMember(await addMember(store, session, { userId, role }));
    },
  }),

  route.patch('/organizations/:orgId/members/:userId', {
    summary: 'Change a member’s role',
    description: 'For OWNERs. The last OWNER cannot step down.',
    params: MemberPath,
    body: MemberPatch,
    answer: Member,
    handle: async (request, store) => {
      const session = sessionOf(request);
      assertOwner(session, request.params.orgId);
      const { userId } = request.params;
      return toMember(await changeRole(store, session, { userId, role: request.body.role }));
    },
  }),

  route.delete('/organizations/:orgId/members/:userId', {
    summary: 'Remove a member',
    description: 'For OWNERs. The user gets a new, empty organization. The last OWNER cannot leave.',
    params: MemberPath,
    handle: async (request, { memberLeft, ...store }) => {
      const session = sessionOf(request);
      assertOwner(session, request.params.orgId);
      const userId = await removeMember(store, session, request.params.userId);
      await memberLeft(session.organizationId, userId);
    },
  }),

  route.get('/organizations/audit', {
    summary: 'Audit log',
    description: 'For OWNERs. Newest first.',
    querystring: Type.Object({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
    answer: Type.Array(AuditEntry),
    handle: async (request, { publicUrl, pool }, reply) => {
      const session = sessionOf(request);
      const page = readPage(request.query);
      if (session.role !== 'OWNER') throw new ApiError('forbidden', 'Only an OWNER can read the audit log.');
      const rows = await listAuditEntries(pool, session.organizationId, page);
      return pageOf(request, reply, rows.map(toAuditEntry), { ...page, publicUrl });
    },
  }),
];

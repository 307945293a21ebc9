import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { HttpApp } from '../../http/app.ts';
import { linkNextPage, pageOf, pageSize, readCursor } from '../../http/pages.ts';
import { Cursor, IdText, Limit } from '../../http/schemas.ts';
import { WHOLE_LIST, WholeListQuery } from '../../http/whole-list.ts';
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

const tags = ['Organizations'];
const InOrganization = Type.Object({ orgId: IdText });
const MemberPath = Type.Object({ orgId: IdText, userId: IdText });

/** Called with UUIDs after a membership has ended. */
type MemberLeft = (organizationId: string, userId: string) => Promise<void>;

export function registerOrganizationRoutes(
  app: HttpApp,
  { publicUrl, memberLeft, ...store }: Store & { publicUrl: URL | null; memberLeft: MemberLeft },
): void {
  const { pool } = store;
  app.get(
    '/organizations/me',
    { schema: { tags, summary: 'The organization of the session', response: { 200: Organization } } },
    (request) => toOrganization(sessionOf(request).organization),
  );

  app.patch(
    '/organizations/me',
    {
      schema: {
        tags,
        summary: 'Change name or plan',
        description: 'The plan only for an OWNER.',
        body: OrganizationPatch,
        response: { 200: Organization },
      },
    },
    async (request) => toOrganization(await changeOrganization(store, sessionOf(request), request.body)),
  );

  app.post(
    '/organizations/me/leave',
    {
      schema: {
        tags,
        summary: 'Leave the organization',
        description:
          'For everyone but the last OWNER. The user gets a new, empty organization, in which the sessions continue.',
        response: { 200: Organization },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      const organization = await leaveOrganization(store, session);
      await memberLeft(session.organizationId, session.user.id);
      return toOrganization(organization);
    },
  );

  app.post(
    '/organizations/:orgId/stay',
    {
      schema: {
        tags,
        summary: 'Agree to a membership that an OWNER made',
        description:
          'An OWNER can then make a recovery link for the user, who sets a new password with it, and turn off the user’s two-factor authentication. Who signed up or joined by an invitation has agreed already.',
        params: InOrganization,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await confirmMembership(store, sessionOf(request), request.params.orgId);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/organizations/members',
    {
      schema: {
        tags,
        summary: 'List the members',
        description: 'The first to join first; where there is a next page, it is in the `Link` header.',
        querystring: WholeListQuery,
        response: { 200: Type.Array(Member) },
      },
    },
    async (request, reply) => {
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
  );

  app.post(
    '/organizations/:orgId/members',
    {
      schema: {
        tags,
        summary: 'Add an existing user',
        description:
          'For OWNERs. The user moves here and gets a notice; the organization that the user leaves must hold no other user and no project, and is removed. A user who cannot be added is answered like an unknown id.',
        params: InOrganization,
        body: NewMember,
        response: { 201: Member },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      assertOwner(session, request.params.orgId);
      const { userId, role = 'MEMBER' } = request.body;
      return reply.code(201).send(toMember(await addMember(store, session, { userId, role })));
    },
  );

  app.patch(
    '/organizations/:orgId/members/:userId',
    {
      schema: {
        tags,
        summary: 'Change a member’s role',
        description: 'For OWNERs. The last OWNER cannot step down.',
        params: MemberPath,
        body: MemberPatch,
        response: { 200: Member },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      assertOwner(session, request.params.orgId);
      const { userId } = request.params;
      return toMember(await changeRole(store, session, { userId, role: request.body.role }));
    },
  );

  app.delete(
    '/organizations/:orgId/members/:userId',
    {
      schema: {
        tags,
        summary: 'Remove a member',
        description: 'For OWNERs. The user gets a new, empty organization. The last OWNER cannot leave.',
        params: MemberPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      assertOwner(session, request.params.orgId);
      const userId = await removeMember(store, session, request.params.userId);
      await memberLeft(session.organizationId, userId);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/organizations/audit',
    {
      schema: {
        tags,
        summary: 'Who changed what',
        description: 'For OWNERs. Newest first.',
        querystring: Type.Object({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
        response: { 200: Type.Array(AuditEntry) },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const limit = pageSize(request.query.limit ?? 50);
      const cursor = readCursor(request.query.cursor);
      if (session.role !== 'OWNER') throw new ApiError('forbidden', 'Only an OWNER can read the audit log.');
      const rows = await listAuditEntries(pool, session.organizationId, { cursor, limit });
      return pageOf(request, reply, rows.map(toAuditEntry), { limit, publicUrl });
    },
  );
}

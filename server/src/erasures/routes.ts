import { Type } from 'typebox';
import type { Store } from '../database/database.ts';
import type { ExpensiveReads } from '../database/expensive-reads.ts';
import { pageOf, readPage } from '../http/pages.ts';
import { routesOf } from '../http/route.ts';
import { Cursor, IdText, Limit } from '../http/schemas.ts';
import { goneSignal } from '../http/sockets/gone-signal.ts';
import { assertOwner } from '../tenancy/organizations/change-members.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import { type Session, sessionOf } from '../tenancy/session.ts';
import { previewErasure } from './preview-erasure.ts';
import { listErasures } from './queries.ts';
import { requestErasure, requireErasure } from './request-erasure.ts';
import { Erasure, ErasurePreview, NewErasure, toErasure } from './schema.ts';

const ErasureQuery = Type.Object({
  project_id: Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'Filters by project; erasures of all projects are included.',
    }),
  ),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

const route = routesOf<Store & { reads: ExpensiveReads; publicUrl: URL | null }>('Erasures');

/** The session of an OWNER. @throws ApiError `forbidden` */
function ownerOf(request: Parameters<typeof sessionOf>[0]): Session {
  const session = sessionOf(request);
  assertOwner(session);
  return session;
}

export const erasureRoutes = [
  route.get('/erasures', {
    summary: 'List erasures',
    description: 'Newest first; the next page is in the `Link` header. For OWNERs.',
    querystring: ErasureQuery,
    answer: Type.Array(Erasure),
    handle: async (request, { pool, publicUrl }, reply) => {
      const { organizationId } = ownerOf(request);
      const { project_id: project } = request.query;
      const page = readPage(request.query);
      const projectId =
        project === undefined ? null : (await requireProject(pool, organizationId, project)).id;
      const rows = await listErasures(pool, organizationId, { projectId, ...page });
      return pageOf(request, reply, rows.map(toErasure), { ...page, publicUrl });
    },
  }),

  route.post('/erasures', {
    summary: 'Erase a user or another correlation value',
    description:
      'Erases the events that were accepted before and have the value in their correlation, in the background and permanently, and replaces the value in texts. For OWNERs.',
    body: NewErasure,
    answer: Erasure,
    status: 201,
    handle: async (request, store) => toErasure(await requestErasure(store, ownerOf(request), request.body)),
  }),

  route.post('/erasures/preview', {
    summary: 'Count the events that an erasure would delete',
    description: 'Changes nothing. For OWNERs.',
    body: NewErasure,
    answer: ErasurePreview,
    handle: async (request, { pool, reads }, reply) => {
      const { organizationId } = ownerOf(request);
      return previewErasure({ pool, reads }, organizationId, request.body, goneSignal(reply.raw));
    },
  }),

  route.get('/erasures/:id', {
    summary: 'Read an erasure',
    description:
      'Shows its progress, and once it is done the places that may still hold the value. For OWNERs.',
    params: Type.Object({ id: IdText }),
    answer: Erasure,
    handle: async (request, { pool }) =>
      toErasure(await requireErasure(pool, ownerOf(request).organizationId, request.params.id)),
  }),
];

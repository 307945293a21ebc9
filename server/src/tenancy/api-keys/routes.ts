import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { HttpApp } from '../../http/app.ts';
import { pageOf, pageSize, readCursor } from '../../http/pages.ts';
import { IdText } from '../../http/schemas.ts';
import { WHOLE_LIST, WholeListQuery } from '../../http/whole-list.ts';
import { requireProject } from '../projects/require-project.ts';
import { sessionOf } from '../session.ts';
import { createApiKey } from './create-api-key.ts';
import { listApiKeys } from './queries.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { ApiKey, CreatedApiKey, NewApiKey, toApiKey } from './schema.ts';

const tags = ['API keys'];
const OfProject = Type.Object({ projectId: IdText });

export function registerApiKeyRoutes(
  app: HttpApp,
  { publicUrl, ...store }: Store & { publicUrl: URL | null },
): void {
  const { pool } = store;
  app.get(
    '/projects/:projectId/api-keys',
    {
      schema: {
        tags,
        summary: 'List the keys of a project',
        description:
          'Newest first, never the keys themselves. `lastUsedAt` may lag by up to a minute. Where there is a next page, it is in the `Link` header.',
        params: OfProject,
        querystring: WholeListQuery,
        response: { 200: Type.Array(ApiKey) },
      },
    },
    async (request, reply) => {
      const limit = pageSize(request.query.limit ?? WHOLE_LIST);
      const cursor = readCursor(request.query.cursor);
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.projectId);
      const rows = await listApiKeys(pool, organizationId, project.id, { cursor, limit });
      return pageOf(request, reply, rows.map(toApiKey), { limit, publicUrl });
    },
  );

  app.post(
    '/projects/:projectId/api-keys',
    {
      schema: {
        tags,
        summary: 'Create a key',
        params: OfProject,
        body: NewApiKey,
        response: { 201: CreatedApiKey },
      },
    },
    async (request, reply) => {
      const { projectId } = request.params;
      const name = request.body?.name?.trim() ?? 'API key';
      const { row, rawKey } = await createApiKey(store, sessionOf(request), { projectId, name });
      return reply.code(201).send({ ...toApiKey(row), rawKey });
    },
  );

  app.delete(
    '/api-keys/:id',
    {
      schema: {
        tags,
        summary: 'Revoke a key',
        description: 'No request that starts after the answer is accepted with it, in any process.',
        params: Type.Object({ id: IdText }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await revokeApiKey(store, sessionOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );
}

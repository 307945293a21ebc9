import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import { pageOf, readPage } from '../../http/pages.ts';
import { routesOf } from '../../http/route.ts';
import { IdText, WHOLE_LIST, WholeListQuery } from '../../http/schemas.ts';
import { type IngestUrlOf, toDsn } from '../dsn.ts';
import { requireProject } from '../projects/require-project.ts';
import { sessionOf } from '../session.ts';
import { createApiKey } from './create-api-key.ts';
import { listApiKeys } from './queries.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { ApiKey, CreatedApiKey, NewApiKey, readBrowserLimits, toApiKey } from './schema.ts';

const OfProject = Type.Object({ projectId: IdText });

const route = routesOf<Store & { publicUrl: URL | null; ingestUrlOf: IngestUrlOf }>('API keys');

export const apiKeyRoutes = [
  route.get('/projects/:projectId/api-keys', {
    summary: 'List the keys of a project',
    description:
      'Newest first, never the keys themselves. `lastUsedAt` may lag by up to a minute. Where there is a next page, it is in the `Link` header.',
    params: OfProject,
    querystring: WholeListQuery,
    answer: Type.Array(ApiKey),
    handle: async (request, { publicUrl, pool }, reply) => {
      const page = readPage(request.query, { usual: WHOLE_LIST });
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.projectId);
      const rows = await listApiKeys(pool, organizationId, project.id, page);
      return pageOf(request, reply, rows.map(toApiKey), { ...page, publicUrl });
    },
  }),

  route.post('/projects/:projectId/api-keys', {
    summary: 'Create a key',
    description:
      '`rawKey` is shown only once: only its hash is kept. The key works from the next request on.',
    params: OfProject,
    body: NewApiKey,
    answer: CreatedApiKey,
    status: 201,
    handle: async (request, { ingestUrlOf, ...store }) => {
      const { projectId } = request.params;
      const name = request.body?.name?.trim() ?? 'API key';
      const { use = 'server' } = request.body ?? {};
      const browser = readBrowserLimits(request.body ?? {});
      const created = await createApiKey(store, sessionOf(request), { projectId, name, use, browser });
      const { row, rawKey, projectNumber } = created;
      const ingestUrl = ingestUrlOf(request);
      const isForPings = use === 'ping';
      return {
        ...toApiKey(row),
        rawKey,
        dsn: isForPings ? null : toDsn(ingestUrl, rawKey, projectNumber),
        pingUrl: isForPings ? `${ingestUrl}/ping/${rawKey}/` : null,
      };
    },
  }),

  route.delete('/api-keys/:id', {
    summary: 'Revoke a key',
    description: 'No request that starts after the answer is accepted with it, in any process.',
    params: Type.Object({ id: IdText }),
    handle: async (request, store) => {
      await revokeApiKey(store, sessionOf(request), request.params.id);
    },
  }),
];

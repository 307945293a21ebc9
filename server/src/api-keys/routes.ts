import { Type } from 'typebox';
import { sessionOf } from '../accounts/sessions.ts';
import { recordChange } from '../audit/queries.ts';
import { inTransaction, type Store } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { HttpApp } from '../platform/http/app.ts';
import { IdText } from '../platform/http/schemas.ts';
import { toId, toUuid } from '../platform/ids.ts';
import { requireProject } from '../projects/require-project.ts';
import { createApiKey } from './create-api-key.ts';
import { countApiKeys, deleteApiKey, listApiKeys } from './queries.ts';
import { ApiKey, CreatedApiKey, NewApiKey, toApiKey } from './schema.ts';

const tags = ['API keys'];
/** Of a project. */
const MAX_KEYS = 50;
const OfProject = Type.Object({ projectId: IdText });

export function registerApiKeyRoutes(app: HttpApp, store: Store): void {
  const { pool } = store;
  app.get(
    '/projects/:projectId/api-keys',
    {
      schema: {
        tags,
        summary: 'List the keys of a project',
        description: 'Never the keys themselves. `lastUsedAt` may lag by up to a minute.',
        params: OfProject,
        response: { 200: Type.Array(ApiKey) },
      },
    },
    async (request) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.projectId);
      return (await listApiKeys(pool, organizationId, project.id)).map(toApiKey);
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
      const { organizationId, user } = sessionOf(request);
      const name = request.body?.name?.trim() ?? 'API key';
      const { row, rawKey } = await inTransaction(store, async (transaction) => {
        const project = await requireProject(transaction, organizationId, request.params.projectId, 'count');
        if ((await countApiKeys(transaction, project.id)) >= MAX_KEYS) {
          throw new ApiError('limit_reached', `A project has at most ${MAX_KEYS} keys: revoke one first.`);
        }
        const created = await createApiKey(transaction, { projectId: project.id, name });
        await recordChange(
          transaction,
          { organizationId, userId: user.id },
          {
            action: 'api_key.created',
            targetId: toId('key', created.row.id),
            before: null,
            after: { name, prefix: created.row.prefix, projectId: toId('proj', project.id) },
          },
        );
        return created;
      });
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
      const { organizationId, user } = sessionOf(request);
      const keyId = toUuid('key', request.params.id);
      await inTransaction(store, async (transaction) => {
        const key = keyId && (await deleteApiKey(transaction, organizationId, keyId));
        if (!key) throw new ApiError('not_found', 'There is no such key.');
        await recordChange(
          transaction,
          { organizationId, userId: user.id },
          {
            action: 'api_key.revoked',
            targetId: toId('key', key.id),
            before: { name: key.name, prefix: key.prefix, projectId: toId('proj', key.projectId) },
            after: null,
          },
        );
      });
      return reply.code(204).send(null);
    },
  );
}

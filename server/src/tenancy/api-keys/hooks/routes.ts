import { Type } from 'typebox';
import { routesOf } from '../../../http/route.ts';
import { IdText } from '../../../http/schemas.ts';
import type { IngestUrlOf } from '../../dsn.ts';
import { requireProject } from '../../projects/require-project.ts';
import { sessionOf } from '../../session.ts';
import { changeHook, removeHook } from './change-hook.ts';
import { createHook, type HookStore } from './create-hook.ts';
import { listHooks } from './queries.ts';
import { CreatedHook, Hook, HookPatch, NewHook, toHook } from './schema.ts';

const OfProject = Type.Object({ id: IdText });
const ById = Type.Object({ id: IdText, hookId: IdText });

const route = routesOf<HookStore & { ingestUrlOf: IngestUrlOf }>('Hooks');

export const hookRoutes = [
  route.get('/projects/:id/hooks', {
    summary: 'List the hooks of a project',
    description: 'Newest first, at most 20, never their addresses or secrets.',
    params: OfProject,
    answer: Type.Array(Hook),
    handle: async (request, { pool }) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      return (await listHooks(pool, organizationId, project.id)).map(toHook);
    },
  }),

  route.post('/projects/:id/hooks', {
    summary: 'Make an address for signed webhooks',
    description:
      'Stripe and most others show their secret once they know the address: until it is set by `PATCH`, requests are refused with 503, and most senders repeat them.',
    params: OfProject,
    body: NewHook,
    answer: CreatedHook,
    status: 201,
    handle: async (request, { ingestUrlOf, ...store }) => {
      const created = await createHook(store, sessionOf(request), request.params.id, request.body);
      const { row, token, madeSecret } = created;
      return { ...toHook(row), url: `${ingestUrlOf(request)}/hooks/${token}`, secret: madeSecret };
    },
  }),

  route.patch('/projects/:id/hooks/:hookId', {
    summary: 'Rename a hook, or set its secrets',
    description: 'Secrets that are not named are invalid from the answer on.',
    params: ById,
    body: HookPatch,
    answer: Hook,
    handle: async (request, store) =>
      toHook(await changeHook(store, sessionOf(request), request.params, request.body)),
  }),

  route.delete('/projects/:id/hooks/:hookId', {
    summary: 'Delete a hook',
    description: 'No request that starts after the answer is accepted, in any process.',
    params: ById,
    handle: async (request, store) => {
      await removeHook(store, sessionOf(request), request.params);
    },
  }),
];

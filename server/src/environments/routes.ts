import { Type } from 'typebox';
import type { Store } from '../database/database.ts';
import { routesOf } from '../http/route.ts';
import { IdText } from '../http/schemas.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import { sessionOf } from '../tenancy/session.ts';
import { changeEnvironment } from './change-environment.ts';
import { describeEnvironments } from './describe-environments.ts';
import { EnvironmentPatch, ProjectEnvironment } from './schema.ts';

const route = routesOf<Store>('Projects');

export const environmentRoutes = [
  route.get('/projects/:id/environments', {
    summary: 'List the environments of a project',
    description: 'Its own first, then those that its events have named, at most 23 more.',
    params: Type.Object({ id: IdText }),
    answer: Type.Array(ProjectEnvironment),
    handle: async (request, { pool, clock }) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      return describeEnvironments(pool, organizationId, project.id, clock.now());
    },
  }),

  route.patch('/projects/:id/environments/:name', {
    summary: 'Watch an environment, or no longer',
    description: 'Decides about events that are stored afterwards.',
    params: Type.Object({ id: IdText, name: Type.String({ maxLength: 256 }) }),
    body: EnvironmentPatch,
    answer: ProjectEnvironment,
    handle: (request, store) => changeEnvironment(store, sessionOf(request), request.params, request.body),
  }),
];

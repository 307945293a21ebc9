import { Type } from 'typebox';
import { routesOf } from '../http/route.ts';
import { IdText } from '../http/schemas.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import { sessionOf } from '../tenancy/session.ts';
import { describeRequests } from './describe-requests.ts';
import { findTrace, type TraceDependencies } from './find-trace.ts';
import { FindQuery, ProjectRequests, Trace } from './schema.ts';

const ById = Type.Object({ id: IdText });

const route = routesOf<TraceDependencies>('Projects');

export const requestRoutes = [
  route.get('/projects/:id/requests', {
    summary: 'Count the requests to ingestion in the last 24 hours',
    description:
      'Counts by protocol, key and reason of the refusal, with samples of the newest requests: without bodies and keys, and with the values of few headers. A request without a valid key is shown to the project whose key or number it names. Written every 10 seconds: a process that is killed leaves out what it counted since.',
    params: ById,
    answer: ProjectRequests,
    handle: async (request, { pool }) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      return describeRequests(pool, organizationId, project.id);
    },
  }),

  route.get('/projects/:id/requests/find', {
    summary: 'Find what became of a request',
    description:
      'Takes an id of the service, or one that the sender gave the request. Refused requests are found among the newest samples.',
    params: ById,
    querystring: FindQuery,
    answer: Trace,
    handle: async (request, dependencies) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(dependencies.pool, organizationId, request.params.id);
      return findTrace(dependencies, project, { id: request.query.id, signal: request.signal });
    },
  }),
];

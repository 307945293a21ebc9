import type { Store } from '../../database/database.ts';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import { routesOf } from '../../http/route.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import { toId } from '../../platform/ids.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { readNewRoute, requireRoute } from '../routing/change-route.ts';
import { NewRoute, RouteId } from '../routing/schema.ts';
import { requireTarget } from '../targets/change-target.ts';
import { previewRoute } from './preview-route.ts';
import { Preview, PreviewQuery } from './schema.ts';

const endpoint = routesOf<Store & { reads: ExpensiveReads }>('Notifications');

export const previewRoutes = [
  endpoint.get('/notification-routes/:id/preview', {
    summary: 'Preview of a route',
    description: 'Runs the code that sends over the incidents and groups of the past days.',
    params: RouteId,
    querystring: PreviewQuery,
    answer: Preview,
    handle: async (request, { pool, clock, reads }, reply) => {
      const { organizationId } = sessionOf(request);
      const route = await requireRoute(pool, organizationId, request.params.id);
      const target = await requireTarget(pool, organizationId, toId('ntg', route.targetId));
      return previewRoute({ reads, clock, signal: goneSignal(reply.raw) }, { route, target }, request.query);
    },
  }),

  endpoint.post('/notification-routes/preview', {
    summary: 'Preview of a route that is not stored',
    description: 'Previews the route in the body, before it is created or changed.',
    querystring: PreviewQuery,
    body: NewRoute,
    answer: Preview,
    handle: async (request, { pool, clock, reads }, reply) => {
      const { organizationId } = sessionOf(request);
      const { target, ...route } = await readNewRoute(pool, organizationId, request.body);
      return previewRoute({ reads, clock, signal: goneSignal(reply.raw) }, { route, target }, request.query);
    },
  }),
];

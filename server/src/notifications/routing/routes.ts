import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { HttpApp } from '../../http/app.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { changeRoute, createRoute, removeRoute } from './change-route.ts';
import { listRoutes } from './queries.ts';
import { NewRoute, Route, RouteId, RoutePatch, toRoute } from './schema.ts';

const tags = ['Notifications'];

export function registerNotificationRouteRoutes(app: HttpApp, store: Store): void {
  const { pool } = store;
  app.get(
    '/notification-routes',
    {
      schema: { tags, summary: 'List the routes of the organization', response: { 200: Type.Array(Route) } },
    },
    async (request) => (await listRoutes(pool, sessionOf(request).organizationId)).map(toRoute),
  );

  app.post(
    '/notification-routes',
    {
      schema: {
        tags,
        summary: 'Create a route: which changes a target is sent',
        description:
          'For OWNERs. By default incidents of all projects from severity `error` on: opened, worse, resolved.',
        body: NewRoute,
        response: { 201: Route },
      },
    },
    async (request, reply) =>
      reply.code(201).send(toRoute(await createRoute(store, sessionOf(request), request.body))),
  );

  app.patch(
    '/notification-routes/:id',
    {
      schema: {
        tags,
        summary: 'Change a route',
        description: 'For OWNERs.',
        params: RouteId,
        body: RoutePatch,
        response: { 200: Route },
      },
    },
    async (request) => toRoute(await changeRoute(store, sessionOf(request), request.params.id, request.body)),
  );

  app.delete(
    '/notification-routes/:id',
    {
      schema: {
        tags,
        summary: 'Delete a route',
        description: 'For OWNERs. What it has put into the outbox is still sent.',
        params: RouteId,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeRoute(store, sessionOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );
}

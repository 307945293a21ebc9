import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import { routesOf } from '../../http/route.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { changeRoute, createRoute, removeRoute } from './change-route.ts';
import { listRoutes } from './queries.ts';
import { NewRoute, Route, RouteId, RoutePatch, toRoute } from './schema.ts';

const route = routesOf<Store>('Notifications');

export const notificationRouteRoutes = [
  route.get('/notification-routes', {
    summary: 'List the routes of the organization',
    description: 'Each with the target it sends to, and the changes, projects and severities it applies to.',
    answer: Type.Array(Route),
    handle: async (request, { pool }) =>
      (await listRoutes(pool, sessionOf(request).organizationId)).map(toRoute),
  }),

  route.post('/notification-routes', {
    summary: 'Create a route: which changes a target is sent',
    description:
      'For OWNERs. By default incidents of all projects from severity `error` on: opened, worse, resolved.',
    body: NewRoute,
    answer: Route,
    status: 201,
    handle: async (request, store, reply) =>
      reply.code(201).send(toRoute(await createRoute(store, sessionOf(request), request.body))),
  }),

  route.patch('/notification-routes/:id', {
    summary: 'Change a route',
    description: 'For OWNERs.',
    params: RouteId,
    body: RoutePatch,
    answer: Route,
    handle: async (request, store) =>
      toRoute(await changeRoute(store, sessionOf(request), request.params.id, request.body)),
  }),

  route.delete('/notification-routes/:id', {
    summary: 'Delete a route',
    description: 'For OWNERs. What it has put into the outbox is still sent.',
    params: RouteId,
    handle: async (request, store) => {
      await removeRoute(store, sessionOf(request), request.params.id);
    },
  }),
];

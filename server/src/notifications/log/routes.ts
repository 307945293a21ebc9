import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { inTransaction, type Store } from '../../database/database.ts';
import { pageOf, readPage } from '../../http/pages.ts';
import { routesOf } from '../../http/route.ts';
import { Cursor, IdText, Limit } from '../../http/schemas.ts';
import { requireIncident } from '../../incidents/require-incident.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { assertMayChange, requireTarget } from '../targets/change-target.ts';
import {
  countHeld,
  listDecidedChanges,
  listDeliveries,
  updateHeldDropped,
  updateHeldReleased,
} from './queries.ts';
import {
  DecidedChange,
  Delivery,
  HeldAction,
  HeldCount,
  HeldResult,
  toDecidedChange,
  toDelivery,
} from './schema.ts';

const ById = Type.Object({ id: IdText });
const Page = Type.Object({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) });

interface LogDependencies extends Store {
  publicUrl: URL | null;
}

const route = routesOf<LogDependencies>('Notifications');

export const deliveryLogRoutes = [
  route.get('/notification-targets/:id/deliveries', {
    summary: 'The log of deliveries to a target',
    description: 'Newest first, with status, time and reason of the last attempt. Kept as long as events.',
    params: ById,
    querystring: Page,
    answer: Type.Array(Delivery),
    handle: async (request, dependencies, reply) => {
      const { organizationId } = sessionOf(request);
      const page = readPage(request.query);
      const { id } = await requireTarget(dependencies.pool, organizationId, request.params.id);
      return pageOfDeliveries(dependencies, { request, reply }, { of: 'target', id, ...page });
    },
  }),

  route.get('/incidents/:id/deliveries', {
    summary: 'Notifications of an incident',
    description: 'Newest first, over all targets.',
    params: ById,
    querystring: Page,
    answer: Type.Array(Delivery),
    handle: async (request, dependencies, reply) => {
      const { organizationId } = sessionOf(request);
      const page = readPage(request.query);
      const { id } = await requireIncident(dependencies.pool, organizationId, request.params.id);
      return pageOfDeliveries(dependencies, { request, reply }, { of: 'subject', id, ...page });
    },
  }),

  route.get('/incidents/:id/notification-decisions', {
    summary: 'Delivery decisions of an incident',
    description:
      'Newest first: for each change what each route decided at that time. Empty where the organization had no routes.',
    params: ById,
    querystring: Page,
    answer: Type.Array(DecidedChange),
    handle: async (request, { publicUrl, pool }, reply) => {
      const { organizationId } = sessionOf(request);
      const page = readPage(request.query);
      const { id: subjectId } = await requireIncident(pool, organizationId, request.params.id);
      const rows = await listDecidedChanges(pool, organizationId, { subjectId, ...page });
      return pageOf(request, reply, rows.map(toDecidedChange), { limit: page.limit, publicUrl });
    },
  }),

  route.get('/notifications/held', {
    summary: 'Number of held deliveries',
    description:
      'Deliveries are held after a restore, and if they are older than 24 hours before their first attempt.',
    answer: HeldCount,
    handle: async (request, { pool }) => ({ held: await countHeld(pool, sessionOf(request).organizationId) }),
  }),

  route.post('/notifications/held', {
    summary: 'Release or drop all held deliveries',
    description: 'For OWNERs.',
    body: HeldAction,
    answer: HeldResult,
    handle: async (request, store) => {
      const session = sessionOf(request);
      assertMayChange(session);
      const { action } = request.body;
      return inTransaction(store, async (transaction) => {
        const update = action === 'release' ? updateHeldReleased : updateHeldDropped;
        const count = await update(transaction, session.organizationId, new Date(transaction.now()));
        await recordChange(transaction, session, {
          action: action === 'release' ? 'deliveries.released' : 'deliveries.dropped',
          target: ['org', session.organizationId],
          before: { held: count },
          after: { held: 0 },
        });
        return { count };
      });
    },
  }),
];

async function pageOfDeliveries(
  { pool, publicUrl }: LogDependencies,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  page: Parameters<typeof listDeliveries>[2],
) {
  const { organizationId, role } = sessionOf(request);
  const rows = await listDeliveries(pool, organizationId, page);
  const deliveries = rows.map((row) => toDelivery(row, role === 'OWNER'));
  return pageOf(request, reply, deliveries, { limit: page.limit, publicUrl });
}

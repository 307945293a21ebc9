import { Type } from 'typebox';
import { inTransaction, type Store } from '../../database/database.ts';
import type { HttpApp } from '../../http/app.ts';
import { IdText } from '../../http/schemas.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { sessionOf } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { deleteOtherSessions, deleteSessionOf, listSessions } from './queries.ts';
import { SessionInfo, toSessionInfo } from './schema.ts';

const tags = ['Accounts'];

export function registerSessionRoutes(app: HttpApp, store: Store): void {
  const { pool, clock } = store;
  app.get(
    '/auth/sessions',
    {
      schema: {
        tags,
        summary: 'List your sessions',
        description: 'Newest first.',
        response: { 200: Type.Array(SessionInfo) },
      },
    },
    async (request) => {
      const { id, user } = sessionOf(request);
      const nowMs = confirmedTime(clock);
      const rows = await listSessions(pool, user.id, new Date(nowMs));
      return rows.map((row) => toSessionInfo(row, id, nowMs));
    },
  );

  app.delete(
    '/auth/sessions',
    {
      schema: {
        tags,
        summary: 'End all of your other sessions, in every process',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id, user } = sessionOf(request);
      await inTransaction(store, async (transaction) => {
        if ((await deleteOtherSessions(transaction, user.id, id)) > 0)
          await notifySessionsChanged(transaction);
      });
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/auth/sessions/:id',
    {
      schema: {
        tags,
        summary: 'End one of your sessions, in every process',
        params: Type.Object({ id: IdText }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const sessionId = toUuid('ses', request.params.id);
      const { user } = sessionOf(request);
      await inTransaction(store, async (transaction) => {
        if (!sessionId || !(await deleteSessionOf(transaction, user.id, sessionId))) {
          throw new ApiError('not_found', 'Session not found.');
        }
        await notifySessionsChanged(transaction);
      });
      return reply.code(204).send(null);
    },
  );
}

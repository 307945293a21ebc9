import { Type } from 'typebox';
import { inTransaction, type Store } from '../../database/database.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { sessionOf } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { deleteOtherSessions, deleteSessionOf, listSessions } from './queries.ts';
import { SessionInfo, toSessionInfo } from './schema.ts';

const route = routesOf<Store>('Accounts');

export const sessionRoutes = [
  route.get('/auth/sessions', {
    summary: 'List your sessions',
    description: 'Newest first.',
    answer: Type.Array(SessionInfo),
    handle: async (request, { pool, clock }) => {
      const { id, user } = sessionOf(request);
      const nowMs = confirmedTime(clock);
      const rows = await listSessions(pool, user.id, new Date(nowMs));
      return rows.map((row) => toSessionInfo(row, id, nowMs));
    },
  }),

  route.delete('/auth/sessions', {
    summary: 'End all of your other sessions, in every process',
    description: 'This session and your access tokens go on.',
    handle: async (request, store) => {
      const { id, user } = sessionOf(request);
      await inTransaction(store, async (transaction) => {
        if ((await deleteOtherSessions(transaction, user.id, id)) > 0)
          await notifySessionsChanged(transaction);
      });
    },
  }),

  route.delete('/auth/sessions/:id', {
    summary: 'End one of your sessions, in every process',
    description: 'Its next request is answered 401. Sessions of other users are answered 404.',
    params: Type.Object({ id: IdText }),
    handle: async (request, store) => {
      const sessionId = toUuid('ses', request.params.id);
      const { user } = sessionOf(request);
      await inTransaction(store, async (transaction) => {
        if (!sessionId || !(await deleteSessionOf(transaction, user.id, sessionId))) {
          throw new ApiError('not_found', 'Session not found.');
        }
        await notifySessionsChanged(transaction);
      });
    },
  }),
];

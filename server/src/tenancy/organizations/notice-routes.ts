import { Type } from 'typebox';
import type { Pool } from '../../database/database.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { sessionOf } from '../session.ts';
import { deleteNotice, listNotices } from './notice-queries.ts';
import { Notice, toNotice } from './notice-schema.ts';

const route = routesOf<{ pool: Pool }>('Accounts');

export const noticeRoutes = [
  route.get('/auth/notices', {
    summary: 'List what others changed about your membership',
    description: 'Newest first; the last 20 that were not dismissed.',
    answer: Type.Array(Notice),
    handle: async (request, { pool }) => (await listNotices(pool, sessionOf(request).user.id)).map(toNotice),
  }),

  route.delete('/auth/notices/:id', {
    summary: 'Dismiss a notice',
    description: 'Decides nothing: a user who was added agrees by `POST /organizations/:orgId/stay`.',
    params: Type.Object({ id: IdText }),
    handle: async (request, { pool }) => {
      const noticeId = toUuid('ntc', request.params.id);
      if (!noticeId || !(await deleteNotice(pool, sessionOf(request).user.id, noticeId))) {
        throw new ApiError('not_found', 'Notice not found.');
      }
    },
  }),
];

import { Type } from 'typebox';
import type { Pool } from '../../database/database.ts';
import type { HttpApp } from '../../http/app.ts';
import { IdText } from '../../http/schemas.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { sessionOf } from '../session.ts';
import { deleteNotice, listNotices } from './notice-queries.ts';
import { Notice, toNotice } from './notice-schema.ts';

const tags = ['Accounts'];

export function registerNoticeRoutes(app: HttpApp, { pool }: { pool: Pool }): void {
  app.get(
    '/auth/notices',
    {
      schema: {
        tags,
        summary: 'List what others changed about your membership',
        description: 'Newest first; the last 20 that were not dismissed.',
        response: { 200: Type.Array(Notice) },
      },
    },
    async (request) => (await listNotices(pool, sessionOf(request).user.id)).map(toNotice),
  );

  app.delete(
    '/auth/notices/:id',
    {
      schema: {
        tags,
        summary: 'Dismiss a notice',
        description: 'Decides nothing: a user who was added agrees by `POST /organizations/:orgId/stay`.',
        params: Type.Object({ id: IdText }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const noticeId = toUuid('ntc', request.params.id);
      if (!noticeId || !(await deleteNotice(pool, sessionOf(request).user.id, noticeId))) {
        throw new ApiError('not_found', 'Notice not found.');
      }
      return reply.code(204).send(null);
    },
  );
}

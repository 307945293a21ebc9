import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { linkNextPage, pageSize, readCursor } from '../http/pages.ts';
import { toId } from '../platform/ids.ts';
import { toListedEvent } from './event-row.ts';
import type { EventPage, PageRequest } from './read-types.ts';
import { sendScan } from './scan-headers.ts';
import type { EventPageQuery, ListedEvent } from './schema.ts';

/** @throws ApiError `validation_failed` for a cursor that does not come from a list */
export function toPageRequest(
  query: Static<typeof EventPageQuery> & { order?: 'asc' | 'desc' },
): PageRequest {
  return {
    cursor: readCursor(query.cursor),
    limit: pageSize(query.limit ?? 50),
    omitPayload: query.payload === 'omit',
    ...(query.order && { order: query.order }),
  };
}

/** Answers with a page, its headers included: the position of the next one, and how far back this one is complete. */
export function sendEventPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { rows, next, scan }: EventPage,
  publicUrl: URL | null,
): ListedEvent[] {
  if (next) linkNextPage(request, reply, toId('evt', next), publicUrl);
  sendScan(reply, scan);
  return rows.map(toListedEvent);
}

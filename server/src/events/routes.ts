import { Type } from 'typebox';
import { sessionOf } from '../accounts/sessions.ts';
import type { Clock } from '../platform/clock.ts';
import { ApiError } from '../platform/errors.ts';
import type { HttpApp } from '../platform/http/app.ts';
import { pageOf, pageSize, readCursor } from '../platform/http/pages.ts';
import { IdText } from '../platform/http/schemas.ts';
import { toUuid } from '../platform/ids.ts';
import { toConditions } from './conditions.ts';
import { countByTime } from './histogram.ts';
import type { EventReader } from './reader.ts';
import { Event, EventQuery, HistogramBucket, HistogramQuery, toEvent } from './schema.ts';

const tags = ['Events'];

export function registerEventRoutes(
  app: HttpApp,
  { events, clock, publicUrl }: { events: EventReader; clock: Clock; publicUrl: URL | null },
): void {
  app.get(
    '/events',
    {
      schema: {
        tags,
        summary: 'List events',
        description: 'Newest first. `from` and `to` are exclusive. The next page is in the `Link` header.',
        querystring: EventQuery,
        response: { 200: Type.Array(Event) },
      },
    },
    async (request, reply) => {
      const conditions = toConditions(request.query);
      const limit = pageSize(request.query.limit ?? 50);
      const cursor = readCursor(request.query.cursor);
      if (!conditions) return [];
      const rows = await events.list(sessionOf(request).organizationId, conditions, { cursor, limit });
      return pageOf(request, reply, rows.map(toEvent), limit, publicUrl);
    },
  );

  app.get(
    '/events/histogram',
    {
      schema: {
        tags,
        summary: 'Count events by time and severity',
        description:
          'Under the filters of the list; oldest bucket first, empty buckets included. Default: the last 24 hours.',
        querystring: HistogramQuery,
        response: { 200: Type.Array(HistogramBucket) },
      },
    },
    async (request) => {
      const conditions = toConditions(request.query);
      if (!conditions) return [];
      const { organizationId } = sessionOf(request);
      return countByTime(events, organizationId, conditions, clock.now(), request.query.interval);
    },
  );

  app.get(
    '/events/:id',
    {
      schema: {
        tags,
        summary: 'Read an event',
        params: Type.Object({ id: IdText }),
        response: { 200: Event },
      },
    },
    async (request) => {
      const eventId = toUuid('evt', request.params.id);
      const row = eventId && (await events.find(sessionOf(request).organizationId, eventId));
      if (!row) throw new ApiError('not_found', 'There is no such event.');
      return toEvent(row);
    },
  );
}

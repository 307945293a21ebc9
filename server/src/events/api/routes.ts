import { Type } from 'typebox';
import type { Pool } from '../../database/database.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import type { Clock } from '../../platform/clock.ts';
import { toUuid } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import type { FrameMapper } from '../../source-maps/frames/frame-mapper.ts';
import { mapStacks } from '../../source-maps/frames/map-stacks.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { toConditions } from '../conditions.ts';
import { toEvent } from '../event-row.ts';
import { registerEventExport } from '../export/export.ts';
import { sendEventPage, toPageRequest } from '../page.ts';
import type { EventReader } from '../reader.ts';
import { sendRange, sendScan, withRangeHeaders, withScanHeaders } from '../scan-headers.ts';
import {
  CorrelationKey,
  CorrelationKeysQuery,
  EventQuery,
  HistogramBucket,
  HistogramQuery,
  ListedEvent,
  TopValue,
  TopValuesQuery,
  WholeEvent,
} from '../schema.ts';
import { listTop } from '../top/top.ts';
import { countByTime } from './histogram.ts';
import { missingEvent } from './missing-event.ts';

const route = routesOf<{
  pool: Pool;
  events: EventReader;
  clock: Clock;
  publicUrl: URL | null;
  retentionDays: number;
  frameMapper: FrameMapper;
}>('Events');

export const eventRoutes = [
  registerEventExport,

  route.get('/events', {
    summary: 'List events',
    description:
      'Newest first, or oldest first with `order=asc`. `from` and `to` are exclusive. A page ends at `limit` events or 8 MiB, whichever comes first; the next page is in the `Link` header. Words, and other filters without an index, are looked for in 20,000 events a page, in 10,000 of one project, and in 5,000 beside a `correlation_id`, a `fingerprint` or a `group_id`: it may hold fewer than `limit`, or none, and have a next one. Such a page has `Scanned-From`.',
    querystring: EventQuery,
    answer: withScanHeaders(Type.Array(ListedEvent)),
    handle: async (request, { events, publicUrl }, reply) => {
      const conditions = await toConditions(events, sessionOf(request).organizationId, request.query);
      const page = toPageRequest(request.query);
      if (!conditions) return [];
      const { organizationId } = sessionOf(request);
      return sendEventPage(
        request,
        reply,
        await events.list(organizationId, conditions, page, goneSignal(reply.raw)),
        publicUrl,
      );
    },
  }),

  route.get('/events/histogram', {
    summary: 'Count events by time and severity',
    description:
      'Under the filters of the list; oldest bucket first, empty buckets included. Default: the last 24 hours. With `q`, `correlation_id` or `fingerprint` the newest events of the range are scanned, as many as for a page of the list. Where there are more, `Scanned-From` says from when on the counts are complete: buckets before it are left out, the first one may be partial, and the same request with `Scanned-From` as its `to` goes on.',
    querystring: HistogramQuery,
    answer: withScanHeaders(Type.Array(HistogramBucket)),
    handle: async (request, { events, clock }, reply) => {
      const conditions = await toConditions(events, sessionOf(request).organizationId, request.query);
      if (!conditions) return [];
      const { organizationId } = sessionOf(request);
      const { interval } = request.query;
      const { buckets, scan } = await countByTime(events, organizationId, conditions, {
        intervalSeconds: interval,
        nowMs: clock.now(),
        signal: goneSignal(reply.raw),
      });
      sendScan(reply, scan);
      return buckets;
    },
  }),

  route.get('/events/top', {
    summary: 'List the most frequent types, sources or fingerprints',
    description:
      'Under the filters of the list; most frequent first. Default: the last 24 hours. Types and sources are counted exactly. Fingerprints are counted exactly, too, in groups: a range that begins more than 47 hours ago in whole hours, which `Counted-From` and `Counted-To` name; those beyond the bound on new groups are one line, “and more”. With a type or source, and whatever is asked for with `q`, `correlation_id` or `fingerprint`, they are counted among as many events as are scanned for a page of the list. Where there are more, `Scanned-From` says from when on the counts are complete.',
    querystring: TopValuesQuery,
    answer: withRangeHeaders(withScanHeaders(Type.Array(TopValue))),
    handle: async (request, { events, clock }, reply) => {
      const conditions = await toConditions(events, sessionOf(request).organizationId, request.query);
      if (!conditions) return [];
      const { by, limit = 10 } = request.query;
      const { organizationId } = sessionOf(request);
      const { values, scan, range } = await listTop(events, organizationId, conditions, {
        by,
        limit,
        nowMs: clock.now(),
        signal: goneSignal(reply.raw),
      });
      sendScan(reply, scan);
      sendRange(reply, range);
      return values;
    },
  }),

  route.get('/events/correlation-keys', {
    summary: 'Count the events with a value, by the keys of their correlation',
    description:
      'Keys under which events have a value, such as `user_id`, most events first, under the filters of the list. Default: all time. A rare value is counted exactly; of a frequent one as many of the newest events are scanned as for a page of the list, and `Scanned-From` says from when on the counts are complete.',
    querystring: CorrelationKeysQuery,
    answer: withScanHeaders(Type.Array(CorrelationKey)),
    handle: async (request, { events }, reply) => {
      const { organizationId } = sessionOf(request);
      const conditions = await toConditions(events, organizationId, request.query);
      if (!conditions) return [];
      const { correlation } = request.query;
      const signal = goneSignal(reply.raw);
      const { keys, scan } = await events.correlationKeys(organizationId, conditions, correlation, signal);
      sendScan(reply, scan);
      return keys.map(({ key, count, firstMs, lastMs }) => ({
        key,
        count,
        firstCapturedAt: isoTime(firstMs),
        lastCapturedAt: isoTime(lastMs),
      }));
    },
  }),

  route.get('/events/:id', {
    summary: 'Read an event',
    description: 'The `detail` of 404 says whether it may have been removed because of its age.',
    params: Type.Object({ id: IdText }),
    answer: WholeEvent,
    handle: async (request, dependencies) => {
      const { events, frameMapper } = dependencies;
      const { organizationId } = sessionOf(request);
      const eventId = toUuid('evt', request.params.id);
      const row = eventId && (await events.find(organizationId, eventId));
      if (!row) throw await missingEvent(dependencies, organizationId, eventId);
      return { ...toEvent(row), ...(await mapStacks(frameMapper, row)) };
    },
  }),
];

import { Type } from 'typebox';
import type { Pool } from '../database/database.ts';
import type { ExpensiveReads } from '../database/expensive-reads.ts';
import { toConditions } from '../events/conditions.ts';
import { sendEventPage, toPageRequest } from '../events/page.ts';
import type { EventReader } from '../events/reader.ts';
import { withScanHeaders } from '../events/scan-headers.ts';
import { EventPageQuery, ListedEvent } from '../events/schema.ts';
import type { HttpApp } from '../http/app.ts';
import { goneSignal } from '../http/gone-signal.ts';
import { pageOf, pageSize, readCursor } from '../http/pages.ts';
import { toId } from '../platform/ids.ts';
import { sessionOf } from '../tenancy/session.ts';
import { MAX_TIMELINE_PAGE } from './describe-incident.ts';
import { describeIncidentGroups, IncidentGroup } from './groups/incident-groups.ts';
import {
  MAX_PREVIOUS,
  MAX_PREVIOUS_NOTES,
  PreviousIncident,
  toPreviousIncident,
} from './previous-incidents.ts';
import { listPreviousIncidents } from './previous-queries.ts';
import { requireIncident } from './require-incident.ts';
import { toTimelineEntry } from './rows.ts';
import { IncidentId, PreviousQuery, TimelineEntry, TimelineQuery } from './schema.ts';
import { listTimeline } from './timeline-queries.ts';

const tags = ['Incidents'];

export interface IncidentHistoryDependencies {
  pool: Pool;
  publicUrl: URL | null;
  reads: ExpensiveReads;
  events: EventReader;
}

/** The timeline of an incident, and the events behind it. */
export function registerIncidentHistoryRoutes(
  app: HttpApp,
  { pool, publicUrl, reads, events }: IncidentHistoryDependencies,
): void {
  app.get(
    '/incidents/:id/timeline',
    {
      schema: {
        tags,
        summary: 'List the timeline of an incident',
        description: 'Newest first; at most 100 on a page. The next page is in the `Link` header.',
        params: IncidentId,
        querystring: TimelineQuery,
        response: { 200: Type.Array(TimelineEntry) },
      },
    },
    async (request, reply) => {
      const limit = pageSize(request.query.limit ?? 50, MAX_TIMELINE_PAGE);
      const cursor = readCursor(request.query.cursor);
      const { organizationId } = sessionOf(request);
      const incident = await requireIncident(pool, organizationId, request.params.id);
      const rows = await listTimeline(pool, incident.id, { cursor, limit });
      return pageOf(request, reply, rows.map(toTimelineEntry), { limit, publicUrl });
    },
  );

  app.get(
    '/incidents/:id/groups',
    {
      schema: {
        tags,
        summary: 'List the groups of an incident',
        description:
          'The ten groups with the most of the events that it counts, the largest first, with their shares, and the releases and users that their newest events name. What joined has none here. Empty for schedules, for incidents created by hand and for missing events.',
        params: IncidentId,
        response: { 200: Type.Array(IncidentGroup) },
      },
    },
    async (request, reply) => {
      const { organizationId } = sessionOf(request);
      const incident = await requireIncident(pool, organizationId, request.params.id);
      const read = { organizationId, signal: goneSignal(reply.raw), subject: 'the groups of the incident' };
      return reads.run(read, (database) => describeIncidentGroups(database, organizationId, incident));
    },
  );

  app.get(
    '/incidents/:id/previous',
    {
      schema: {
        tags,
        summary: 'List the incidents of the same cause before an incident',
        description:
          'Newest first: those that share a group or have the same lead, those of the same schedule, and the one in `previousIncidentId`; with how each ended and what people wrote. Empty for incidents created by hand.',
        params: IncidentId,
        querystring: PreviousQuery,
        response: { 200: Type.Array(PreviousIncident) },
      },
    },
    async (request) => {
      const { organizationId } = sessionOf(request);
      const limit = pageSize(request.query.limit ?? 5, MAX_PREVIOUS);
      const incident = await requireIncident(pool, organizationId, request.params.id);
      const rows = await listPreviousIncidents(pool, incident, { limit, notes: MAX_PREVIOUS_NOTES });
      return rows.map(toPreviousIncident);
    },
  );

  app.get(
    '/incidents/:id/events',
    {
      schema: {
        tags,
        summary: 'List the events that an incident counts',
        description:
          'Newest first: those of `eventCount`, as far as retention has kept them. Of what is missing, the events of the seven days before. Empty for schedules and for incidents created by hand. `GET /events?incident_id=…` has the same with further conditions. Pages and `Scanned-From` are as there.',
        params: IncidentId,
        querystring: EventPageQuery,
        response: { 200: withScanHeaders(Type.Array(ListedEvent)) },
      },
    },
    async (request, reply) => {
      const { organizationId } = sessionOf(request);
      const page = toPageRequest(request.query);
      const incident = await requireIncident(pool, organizationId, request.params.id);
      const conditions = await toConditions(events, organizationId, {
        incident_id: toId('inc', incident.id),
      });
      if (!conditions) return [];
      const found = await events.list(organizationId, conditions, page, goneSignal(reply.raw));
      return sendEventPage(request, reply, found, publicUrl);
    },
  );
}

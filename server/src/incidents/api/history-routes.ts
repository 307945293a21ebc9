import { Type } from 'typebox';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import { toConditions } from '../../events/conditions.ts';
import { sendEventPage, toPageRequest } from '../../events/page.ts';
import type { EventReader } from '../../events/reader.ts';
import { withScanHeaders } from '../../events/scan-headers.ts';
import { EventPageQuery, ListedEvent } from '../../events/schema.ts';
import { type CulpritDependencies, mapCulprits } from '../../groups/map-culprits.ts';
import { pageOf, pageSize, readPage } from '../../http/pages.ts';
import { routesOf } from '../../http/route.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import { type Clock, confirmedTime } from '../../platform/clock.ts';
import { toId } from '../../platform/ids.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { describeIncidentGroups, IncidentGroup } from '../groups/incident-groups.ts';
import { IncidentId, PreviousQuery, TimelineQuery } from '../request-schema.ts';
import { requireIncident } from '../require-incident.ts';
import { toTimelineEntry } from '../rows.ts';
import { TimelineEntry } from '../schema.ts';
import { listTimeline } from '../timeline-queries.ts';
import { MAX_TIMELINE_PAGE } from './describe-incident.ts';
import {
  MAX_PREVIOUS,
  MAX_PREVIOUS_NOTES,
  PreviousIncident,
  toPreviousIncident,
} from './previous-incidents.ts';
import { listPreviousIncidents } from './previous-queries.ts';

interface IncidentHistoryDependencies extends CulpritDependencies {
  clock: Clock;
  publicUrl: URL | null;
  reads: ExpensiveReads;
  events: EventReader;
}

/** The timeline of an incident, and the events behind it. */
const route = routesOf<IncidentHistoryDependencies>('Incidents');

export const incidentHistoryRoutes = [
  route.get('/incidents/:id/timeline', {
    summary: 'List the timeline of an incident',
    description: 'Newest first; at most 100 on a page. The next page is in the `Link` header.',
    params: IncidentId,
    querystring: TimelineQuery,
    answer: Type.Array(TimelineEntry),
    handle: async (request, { pool, publicUrl }, reply) => {
      const page = readPage(request.query, { maximum: MAX_TIMELINE_PAGE });
      const { organizationId } = sessionOf(request);
      const incident = await requireIncident(pool, organizationId, request.params.id);
      const rows = await listTimeline(pool, incident.id, page);
      return pageOf(request, reply, rows.map(toTimelineEntry), { ...page, publicUrl });
    },
  }),

  route.get('/incidents/:id/groups', {
    summary: 'List the groups of an incident',
    description:
      'The ten groups with the most of the events that it counts, the largest first, with their shares, and the releases and users that their newest events name. What joined has none here. Empty for schedules, for incidents created by hand and for missing events.',
    params: IncidentId,
    answer: Type.Array(IncidentGroup),
    handle: async (request, { pool, clock, reads, events, frameMapper }, reply) => {
      const { organizationId } = sessionOf(request);
      const incident = await requireIncident(pool, organizationId, request.params.id);
      const read = { organizationId, signal: goneSignal(reply.raw), subject: 'the groups of the incident' };
      const at = new Date(confirmedTime(clock));
      const listed = await reads.run(read, (database) =>
        describeIncidentGroups(events.on(database), organizationId, incident, at),
      );
      const own = listed.map(({ group }) => group);
      const groups = await mapCulprits({ pool, frameMapper }, organizationId, own);
      return listed.map((one, index) => ({ ...one, group: groups[index] ?? one.group }));
    },
  }),

  route.get('/incidents/:id/previous', {
    summary: 'List the incidents of the same cause before an incident',
    description:
      'Newest first: those that share a group or have the same lead, those of the same schedule, and the one in `previousIncidentId`; with how each ended and what people wrote. Empty for incidents created by hand.',
    params: IncidentId,
    querystring: PreviousQuery,
    answer: Type.Array(PreviousIncident),
    handle: async (request, { pool }) => {
      const { organizationId } = sessionOf(request);
      const limit = pageSize(request.query.limit ?? 5, MAX_PREVIOUS);
      const incident = await requireIncident(pool, organizationId, request.params.id);
      const rows = await listPreviousIncidents(pool, incident, { limit, notes: MAX_PREVIOUS_NOTES });
      return rows.map(toPreviousIncident);
    },
  }),

  route.get('/incidents/:id/events', {
    summary: 'List the events that an incident counts',
    description:
      'Newest first: those of `eventCount`, as far as retention has kept them. Of what is missing, the events of the seven days before. Empty for schedules and for incidents created by hand. `GET /events?incident_id=…` has the same with further conditions. Pages and `Scanned-From` are as there.',
    params: IncidentId,
    querystring: EventPageQuery,
    answer: withScanHeaders(Type.Array(ListedEvent)),
    handle: async (request, { pool, publicUrl, events }, reply) => {
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
  }),
];

import { Type } from 'typebox';
import type { Pool } from '../database/database.ts';
import type { ExpensiveReads } from '../database/expensive-reads.ts';
import { sendEventPage, toPageRequest } from '../events/page.ts';
import { withScanHeaders } from '../events/scan-headers.ts';
import { EventPageQuery, ListedEvent } from '../events/schema.ts';
import type { HttpApp } from '../http/app.ts';
import { goneSignal } from '../http/gone-signal.ts';
import { pageOf, pageSize, readCursor } from '../http/pages.ts';
import { IdText } from '../http/schemas.ts';
import type { Clock } from '../platform/clock.ts';
import { toUuid } from '../platform/ids.ts';
import { sessionOf } from '../tenancy/session.ts';
import { addNote, changeIncident } from './change-incident.ts';
import { createManualIncident } from './create-manual-incident.ts';
import type { ReadCurrent } from './current-values.ts';
import { listIncidentEvents } from './event-queries.ts';
import type { IncidentMetrics } from './metrics.ts';
import { countIncidents, listIncidents, NO_INCIDENTS } from './queries.ts';
import { requireIncident } from './require-incident.ts';
import { type IncidentRow, toIncident, toTimelineEntry } from './rows.ts';
import {
  Incident,
  IncidentCounts,
  IncidentCountsQuery,
  IncidentPatch,
  IncidentQuery,
  IncidentWithTimeline,
  NewIncident,
  NewNote,
  TimelineEntry,
  TimelineQuery,
} from './schema.ts';
import { listTimeline } from './timeline-queries.ts';
import { undoResolution } from './undo-resolution.ts';

const tags = ['Incidents'];
const INCIDENT_EVENTS = 'the events behind the incident';
const ById = Type.Object({ id: IdText });
/** Entries in one answer: a note has up to 40 kB. */
const MAX_TIMELINE_PAGE = 100;

export interface IncidentDependencies {
  pool: Pool;
  clock: Clock;
  metrics: IncidentMetrics;
  publicUrl: URL | null;
  reads: ExpensiveReads;
  readCurrent: ReadCurrent;
}

export function registerIncidentRoutes(
  app: HttpApp,
  { pool, clock, metrics, publicUrl, reads, readCurrent }: IncidentDependencies,
): void {
  const describe = async (row: IncidentRow) => {
    const [rows, current] = await Promise.all([
      listTimeline(pool, row.id, { cursor: null, limit: MAX_TIMELINE_PAGE }),
      readCurrent({ ...row, isResolved: row.status === 'resolved' }),
    ]);
    const timeline = rows.slice(0, MAX_TIMELINE_PAGE).toReversed().map(toTimelineEntry);
    return { ...toIncident(row, current), timeline };
  };

  app.get(
    '/incidents',
    {
      schema: {
        tags,
        summary: 'List incidents',
        description: 'Newest first, or with `sort` the worst first. The next page is in the `Link` header.',
        querystring: IncidentQuery,
        response: { 200: Type.Array(Incident) },
      },
    },
    async (request, reply) => {
      const { status = null, sort = 'newest' } = request.query;
      const limit = pageSize(request.query.limit ?? 50);
      const cursor = readCursor(request.query.cursor);
      const projectId = toProjectFilter(request.query.project_id);
      if (projectId === undefined) return [];
      const { organizationId } = sessionOf(request);
      const rows = await listIncidents(pool, organizationId, { projectId, status }, { sort, cursor, limit });
      return pageOf(
        request,
        reply,
        rows.map((row) => toIncident(row)),
        { limit, publicUrl },
      );
    },
  );

  app.post(
    '/incidents',
    {
      schema: {
        tags,
        summary: 'Create an incident by hand',
        description: 'Dashboards of the organization get an `incident_created` frame.',
        body: NewIncident,
        response: { 201: Incident },
      },
    },
    async (request, reply) => {
      const row = await createManualIncident({ pool, clock }, sessionOf(request), request.body);
      metrics.incidents.inc({ origin: 'manual' });
      return reply.code(201).send(toIncident(row));
    },
  );

  app.get(
    '/incidents/counts',
    {
      schema: {
        tags,
        summary: 'Count the incidents by status',
        querystring: IncidentCountsQuery,
        response: { 200: IncidentCounts },
      },
    },
    async (request) => {
      const projectId = toProjectFilter(request.query.project_id);
      if (projectId === undefined) return NO_INCIDENTS;
      return countIncidents(pool, sessionOf(request).organizationId, projectId);
    },
  );

  app.get(
    '/incidents/:id',
    {
      schema: {
        tags,
        summary: 'Read an incident with its timeline',
        params: ById,
        response: { 200: IncidentWithTimeline },
      },
    },
    async (request) => {
      const { organizationId } = sessionOf(request);
      return describe(await requireIncident(pool, organizationId, request.params.id));
    },
  );

  app.patch(
    '/incidents/:id',
    {
      schema: {
        tags,
        summary: 'Change status, title or severity',
        description:
          'Status moves forward only: open, investigating, resolved (open to resolved is allowed).',
        params: ById,
        body: IncidentPatch,
        response: { 200: IncidentWithTimeline },
      },
    },
    async (request) => {
      const row = await changeIncident({ pool, clock }, sessionOf(request), request.params.id, request.body);
      return describe(row);
    },
  );

  app.post(
    '/incidents/:id/undo-resolve',
    {
      schema: {
        tags,
        summary: 'Undo the last resolution',
        description:
          'For the user who resolved it and for OWNERs, for 10 minutes: the incident returns to the state it had, with a timeline entry and an `incident_updated` frame. Later, or when a newer incident has the same cause, it is 409 `invalid_transition`.',
        params: ById,
        response: { 200: IncidentWithTimeline },
      },
    },
    async (request) => describe(await undoResolution({ pool, clock }, sessionOf(request), request.params.id)),
  );

  app.post(
    '/incidents/:id/notes',
    {
      schema: {
        tags,
        summary: 'Add a note to the timeline',
        params: ById,
        body: NewNote,
        response: { 201: IncidentWithTimeline },
      },
    },
    async (request, reply) => {
      const row = await addNote({ pool, clock }, sessionOf(request), request.params.id, request.body.note);
      return reply.code(201).send(await describe(row));
    },
  );

  app.get(
    '/incidents/:id/timeline',
    {
      schema: {
        tags,
        summary: 'List the timeline of an incident',
        description: 'Newest first; at most 100 on a page. The next page is in the `Link` header.',
        params: ById,
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
    '/incidents/:id/events',
    {
      schema: {
        tags,
        summary: 'List the events behind an incident',
        description:
          'Newest first. Empty for incidents created by hand. A page ends at `limit` events or 8 MiB, whichever comes first; the next page is in the `Link` header. 100,000 events of the incident’s time are scanned for a page: it may hold fewer than `limit`, or none, and have a next one. Such a page has `Scanned-From`.',
        params: ById,
        querystring: EventPageQuery,
        response: { 200: withScanHeaders(Type.Array(ListedEvent)) },
      },
    },
    async (request, reply) => {
      const { organizationId } = sessionOf(request);
      const page = toPageRequest(request.query);
      const incident = await requireIncident(pool, organizationId, request.params.id);
      const read = { organizationId, signal: goneSignal(reply.raw), subject: INCIDENT_EVENTS };
      const events = await reads.run(read, (database) =>
        listIncidentEvents(database, organizationId, incident, page),
      );
      return sendEventPage(request, reply, events, publicUrl);
    },
  );
}

/** Null: no filter. Undefined: not the id of a project, answered like a project of another organization: empty. */
function toProjectFilter(projectId: string | undefined): string | null | undefined {
  return projectId === undefined ? null : (toUuid('proj', projectId) ?? undefined);
}

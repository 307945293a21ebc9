import { Type } from 'typebox';
import type { Pool } from '../database/database.ts';
import type { HttpApp } from '../http/app.ts';
import { pageOf, pageSize, readCursor } from '../http/pages.ts';
import type { Clock } from '../platform/clock.ts';
import { toUuid } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { sessionOf } from '../tenancy/session.ts';
import { addNote, changeIncident } from './change-incident.ts';
import { createManualIncident } from './create-manual-incident.ts';
import type { ReadCurrent } from './current-values.ts';
import { describeIncident } from './describe-incident.ts';
import type { ReadFacts } from './lead/read-facts.ts';
import type { IncidentMetrics } from './metrics.ts';
import { countIncidents, countIncidentsSince, listIncidents, NO_INCIDENTS } from './queries.ts';
import { requireIncident } from './require-incident.ts';
import type { IncidentRow } from './rows.ts';
import {
  Incident,
  IncidentCounts,
  IncidentCountsQuery,
  IncidentId,
  IncidentPatch,
  IncidentQuery,
  IncidentSummary,
  IncidentWithTimeline,
  NewIncident,
  NewNote,
} from './schema.ts';
import { toIncident } from './to-incident.ts';
import { type ContinueSchedule, undoResolution } from './undo-resolution.ts';

const tags = ['Incidents'];

const SUMMARY_DAYS = 7;

export interface IncidentDependencies {
  pool: Pool;
  clock: Clock;
  metrics: IncidentMetrics;
  publicUrl: URL | null;
  readCurrent: ReadCurrent;
  readFacts: ReadFacts;
  continueSchedule: ContinueSchedule;
}

export function registerIncidentRoutes(
  app: HttpApp,
  { pool, clock, metrics, publicUrl, readCurrent, readFacts, continueSchedule }: IncidentDependencies,
): void {
  const describe = (row: IncidentRow) => describeIncident({ pool, readCurrent, readFacts }, row);

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
      const text = request.query.q?.trim() || null;
      const limit = pageSize(request.query.limit ?? 50);
      const cursor = readCursor(request.query.cursor);
      const projectId = toProjectFilter(request.query.project_id);
      // No stored text holds a NUL.
      if (projectId === undefined || text?.includes('\0')) return [];
      const { organizationId } = sessionOf(request);
      const rows = await listIncidents(
        pool,
        organizationId,
        { projectId, status, text },
        { sort, cursor, limit },
      );
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
    '/incidents/summary',
    {
      schema: {
        tags,
        summary: 'Sum up the incidents of the last 7 days',
        querystring: IncidentCountsQuery,
        response: { 200: IncidentSummary },
      },
    },
    async (request) => {
      const since = new Date(clock.now() - SUMMARY_DAYS * 86_400_000);
      const projectId = toProjectFilter(request.query.project_id);
      const summary =
        projectId === undefined
          ? { opened: 0, resolved: 0, medianSecondsToResolve: null }
          : await countIncidentsSince(pool, sessionOf(request).organizationId, projectId, since);
      return { since: isoTime(since), ...summary };
    },
  );

  app.get(
    '/incidents/:id',
    {
      schema: {
        tags,
        summary: 'Read an incident with its timeline',
        params: IncidentId,
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
        params: IncidentId,
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
        params: IncidentId,
        response: { 200: IncidentWithTimeline },
      },
    },
    async (request) =>
      describe(
        await undoResolution({ pool, clock }, sessionOf(request), {
          id: request.params.id,
          continueSchedule,
        }),
      ),
  );

  app.post(
    '/incidents/:id/notes',
    {
      schema: {
        tags,
        summary: 'Add a note to the timeline',
        params: IncidentId,
        body: NewNote,
        response: { 201: IncidentWithTimeline },
      },
    },
    async (request, reply) => {
      const row = await addNote({ pool, clock }, sessionOf(request), request.params.id, request.body.note);
      return reply.code(201).send(await describe(row));
    },
  );
}

/** Null: no filter. Undefined: not the id of a project, answered like a project of another organization: empty. */
function toProjectFilter(projectId: string | undefined): string | null | undefined {
  return projectId === undefined ? null : (toUuid('proj', projectId) ?? undefined);
}

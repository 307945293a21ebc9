import { Type } from 'typebox';
import type { Pool } from '../../database/database.ts';
import { pageOf, pageSize, readCursor } from '../../http/pages.ts';
import { routesOf } from '../../http/route.ts';
import type { Clock } from '../../platform/clock.ts';
import { toUuid } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { addNote, changeIncident } from '../change-incident.ts';
import type { ReadCurrent } from '../current-values.ts';
import type { ReadFacts } from '../groups/read-facts.ts';
import type { IncidentMetrics } from '../metrics.ts';
import { countIncidents, countIncidentsSince, listIncidents, NO_INCIDENTS } from '../queries.ts';
import {
  IncidentCountsQuery,
  IncidentId,
  IncidentPatch,
  IncidentQuery,
  NewIncident,
  NewNote,
} from '../request-schema.ts';
import { requireIncident } from '../require-incident.ts';
import { Incident, IncidentCounts, IncidentSummary, IncidentWithTimeline } from '../schema.ts';
import { toIncident } from '../to-incident.ts';
import { type ContinueSchedule, undoResolution } from '../undo-resolution.ts';
import { createManualIncident } from './create-manual-incident.ts';
import { describeIncident } from './describe-incident.ts';

const SUMMARY_DAYS = 7;

interface IncidentDependencies {
  pool: Pool;
  clock: Clock;
  metrics: IncidentMetrics;
  publicUrl: URL | null;
  readCurrent: ReadCurrent;
  readFacts: ReadFacts;
  continueSchedule: ContinueSchedule;
}

const route = routesOf<IncidentDependencies>('Incidents');

export const incidentRoutes = [
  route.get('/incidents', {
    summary: 'List incidents',
    description: 'Newest first, or with `sort` the worst first. The next page is in the `Link` header.',
    querystring: IncidentQuery,
    answer: Type.Array(Incident),
    handle: async (request, { pool, publicUrl }, reply) => {
      const { status = null, sort = 'newest' } = request.query;
      const text = request.query.q?.trim() || null;
      const limit = pageSize(request.query.limit ?? 50);
      const cursor = readCursor(request.query.cursor);
      const projectId = toProjectFilter(request.query.project_id);
      // No stored text contains a NUL.
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
  }),

  route.post('/incidents', {
    summary: 'Create an incident by hand',
    description: 'Dashboards of the organization get an `incident_created` frame.',
    body: NewIncident,
    answer: Incident,
    status: 201,
    handle: async (request, { pool, clock, metrics }) => {
      const row = await createManualIncident({ pool, clock }, sessionOf(request), request.body);
      metrics.incidents.inc({ origin: 'manual' });
      return toIncident(row);
    },
  }),

  route.get('/incidents/counts', {
    summary: 'Count the incidents by status',
    description: 'Counts those of the organization, or of one project.',
    querystring: IncidentCountsQuery,
    answer: IncidentCounts,
    handle: async (request, { pool }) => {
      const projectId = toProjectFilter(request.query.project_id);
      if (projectId === undefined) return NO_INCIDENTS;
      return countIncidents(pool, sessionOf(request).organizationId, projectId);
    },
  }),

  route.get('/incidents/summary', {
    summary: 'Sum up the incidents of the last 7 days',
    description: 'Counts those opened and those resolved, with the median time to the resolution.',
    querystring: IncidentCountsQuery,
    answer: IncidentSummary,
    handle: async (request, { pool, clock }) => {
      const since = new Date(clock.now() - SUMMARY_DAYS * 86_400_000);
      const projectId = toProjectFilter(request.query.project_id);
      const summary =
        projectId === undefined
          ? { opened: 0, resolved: 0, medianSecondsToResolve: null }
          : await countIncidentsSince(pool, sessionOf(request).organizationId, projectId, since);
      return { since: isoTime(since), ...summary };
    },
  }),

  route.get('/incidents/:id', {
    summary: 'Read an incident with its timeline',
    description: 'The timeline is oldest first.',
    params: IncidentId,
    answer: IncidentWithTimeline,
    handle: async (request, dependencies) => {
      const { organizationId } = sessionOf(request);
      return describeIncident(
        dependencies,
        await requireIncident(dependencies.pool, organizationId, request.params.id),
      );
    },
  }),

  route.patch('/incidents/:id', {
    summary: 'Change status, title or severity',
    description: 'Status moves forward only: open, investigating, resolved (open to resolved is allowed).',
    params: IncidentId,
    body: IncidentPatch,
    answer: IncidentWithTimeline,
    handle: async (request, dependencies) => {
      const row = await changeIncident(dependencies, sessionOf(request), request.params.id, request.body);
      return describeIncident(dependencies, row);
    },
  }),

  route.post('/incidents/:id/undo-resolve', {
    summary: 'Undo the last resolution',
    description:
      'For the user who resolved it and for OWNERs, for 10 minutes: the incident returns to the state it had, with a timeline entry and an `incident_updated` frame. Later, or when a newer incident has the same cause, it is 409 `invalid_transition`.',
    params: IncidentId,
    answer: IncidentWithTimeline,
    handle: async (request, dependencies) =>
      describeIncident(
        dependencies,
        await undoResolution(dependencies, sessionOf(request), {
          id: request.params.id,
          continueSchedule: dependencies.continueSchedule,
        }),
      ),
  }),

  route.post('/incidents/:id/notes', {
    summary: 'Add a note to the timeline',
    description: 'The note has its author and time, and stays when the incident is resolved.',
    params: IncidentId,
    body: NewNote,
    answer: IncidentWithTimeline,
    status: 201,
    handle: async (request, dependencies) => {
      const row = await addNote(dependencies, sessionOf(request), request.params.id, request.body.note);
      return describeIncident(dependencies, row);
    },
  }),
];

/** Null: no filter. Undefined: not the id of a project, answered like a project of another organization: empty. */
function toProjectFilter(projectId: string | undefined): string | null | undefined {
  return projectId === undefined ? null : (toUuid('proj', projectId) ?? undefined);
}

import { Type } from 'typebox';
import type { Store } from '../database/database.ts';
import { pageOf, readPage } from '../http/pages.ts';
import { routesOf } from '../http/route.ts';
import { IdText } from '../http/schemas.ts';
import type { IngestUrlOf } from '../tenancy/dsn.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import { sessionOf } from '../tenancy/session.ts';
import { changeSchedule, removeSchedule, replacePingToken } from './change-schedule.ts';
import { listCheckIns } from './check-in-queries.ts';
import { createSchedule } from './create-schedule.ts';
import { listSchedules } from './queries.ts';
import { requireSchedule } from './require-schedule.ts';
import { toCheckIn, toSchedule } from './rows.ts';
import {
  CheckIn,
  CreatedSchedule,
  NewSchedule,
  PingUrl,
  Schedule,
  SchedulePatch,
  ScheduleQuery,
} from './schema.ts';

const OfProject = Type.Object({ id: IdText });
const ById = Type.Object({ id: IdText, scheduleId: IdText });

interface ScheduleDependencies extends Store {
  publicUrl: URL | null;
  ingestUrlOf: IngestUrlOf;
}

/** Schedules are declared and changed here; jobs check in at ingestion. */
const route = routesOf<ScheduleDependencies>('Schedules');

export const scheduleRoutes = [
  route.get('/projects/:id/schedules', {
    summary: 'List the schedules of a project',
    description: 'Newest first; the next page is in the `Link` header.',
    params: OfProject,
    querystring: ScheduleQuery,
    answer: Type.Array(Schedule),
    handle: async (request, { pool, clock, publicUrl }, reply) => {
      const project = await requireProject(pool, sessionOf(request).organizationId, request.params.id);
      const page = readPage(request.query);
      const rows = await listSchedules(pool, project.id, page);
      const nowMs = clock.now();
      return pageOf(
        request,
        reply,
        rows.map((row) => toSchedule(row, nowMs)),
        { ...page, publicUrl },
      );
    },
  }),

  route.post('/projects/:id/schedules', {
    summary: 'Declare a schedule',
    description:
      'A job that is expected at the times of a cron expression, or at intervals. It counts from now on: without a check-in in time an incident of origin `schedule` opens.',
    params: OfProject,
    body: NewSchedule,
    answer: CreatedSchedule,
    status: 201,
    handle: async (request, dependencies) => {
      const session = sessionOf(request);
      const created = await createSchedule(dependencies, session, request.params.id, request.body);
      const { schedule, pingToken } = created;
      const pingUrl = toPingUrl(dependencies, request, pingToken);
      return { ...toSchedule(schedule, dependencies.clock.now()), pingUrl };
    },
  }),

  route.get('/projects/:id/schedules/:scheduleId', {
    summary: 'Read a schedule',
    description: 'With its state, its last check-in, and when the next one is due.',
    params: ById,
    answer: Schedule,
    handle: async (request, { pool, clock }) =>
      toSchedule(await requireSchedule(pool, sessionOf(request).organizationId, request.params), clock.now()),
  }),

  route.patch('/projects/:id/schedules/:scheduleId', {
    summary: 'Change, pause or resume a schedule',
    description: 'Fields that are not named stay as they are. A pause resolves the open incident.',
    params: ById,
    body: SchedulePatch,
    answer: Schedule,
    handle: async (request, dependencies) =>
      toSchedule(
        await changeSchedule(dependencies, sessionOf(request), request.params, request.body),
        dependencies.clock.now(),
      ),
  }),

  route.delete('/projects/:id/schedules/:scheduleId', {
    summary: 'Delete a schedule',
    description: 'Deletes its check-ins as well, and resolves its open incident.',
    params: ById,
    handle: async (request, dependencies) => {
      await removeSchedule(dependencies, sessionOf(request), request.params);
    },
  }),

  route.post('/projects/:id/schedules/:scheduleId/ping-url', {
    summary: 'Replace the ping address of a schedule',
    description: 'The address before it is unknown from the answer on.',
    params: ById,
    answer: PingUrl,
    status: 201,
    handle: async (request, dependencies) => {
      const token = await replacePingToken(dependencies, sessionOf(request), request.params);
      return { pingUrl: toPingUrl(dependencies, request, token) };
    },
  }),

  route.get('/projects/:id/schedules/:scheduleId/check-ins', {
    summary: 'List the check-ins of a schedule',
    description:
      'Newest first, with those that were missed; the newest 500 are kept. The next page is in the `Link` header.',
    params: ById,
    querystring: ScheduleQuery,
    answer: Type.Array(CheckIn),
    handle: async (request, { pool, publicUrl }, reply) => {
      const schedule = await requireSchedule(pool, sessionOf(request).organizationId, request.params);
      const page = readPage(request.query);
      const rows = await listCheckIns(pool, schedule.id, page);
      return pageOf(request, reply, rows.map(toCheckIn), { ...page, publicUrl });
    },
  }),
];

function toPingUrl(
  { ingestUrlOf }: ScheduleDependencies,
  request: { protocol: string; host: string },
  token: string,
): string {
  return `${ingestUrlOf(request)}/ping/${token}`;
}

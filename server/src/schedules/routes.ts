import { Type } from 'typebox';
import type { Store } from '../database/database.ts';
import type { HttpApp } from '../http/app.ts';
import { pageOf, pageSize, readCursor } from '../http/pages.ts';
import { IdText } from '../http/schemas.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import { sessionOf } from '../tenancy/session.ts';
import { changeSchedule, removeSchedule, replacePingToken } from './change-schedule.ts';
import { createSchedule } from './create-schedule.ts';
import { listCheckIns, listSchedules } from './queries.ts';
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

const tags = ['Schedules'];
const OfProject = Type.Object({ id: IdText });
const ById = Type.Object({ id: IdText, scheduleId: IdText });

export interface ScheduleDependencies extends Store {
  publicUrl: URL | null;
  /** The address of ingestion, from the address that the request came to. */
  ingestUrlOf: (managementUrl: string) => string;
}

/** Schedules are declared and changed here; jobs check in at ingestion. */
export function registerScheduleRoutes(app: HttpApp, dependencies: ScheduleDependencies): void {
  const { pool, clock, publicUrl, ingestUrlOf } = dependencies;
  const toPingUrl = (request: { protocol: string; host: string }, token: string) =>
    `${ingestUrlOf(`${request.protocol}://${request.host}`)}/ping/${token}`;

  app.get(
    '/projects/:id/schedules',
    {
      schema: {
        tags,
        summary: 'List the schedules of a project',
        description: 'Newest first; the next page is in the `Link` header.',
        params: OfProject,
        querystring: ScheduleQuery,
        response: { 200: Type.Array(Schedule) },
      },
    },
    async (request, reply) => {
      const project = await requireProject(pool, sessionOf(request).organizationId, request.params.id);
      const limit = pageSize(request.query.limit ?? 50);
      const before = readCursor(request.query.cursor);
      const rows = await listSchedules(pool, project.id, { before, limit });
      const nowMs = clock.now();
      return pageOf(
        request,
        reply,
        rows.map((row) => toSchedule(row, nowMs)),
        { limit, publicUrl },
      );
    },
  );

  app.post(
    '/projects/:id/schedules',
    {
      schema: {
        tags,
        summary: 'Declare a schedule',
        description:
          'A job that is expected at the times of a cron expression, or at intervals. It counts from now on: without a check-in in time an incident of origin `schedule` opens.',
        params: OfProject,
        body: NewSchedule,
        response: { 201: CreatedSchedule },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const created = await createSchedule(dependencies, session, request.params.id, request.body);
      const { schedule, pingToken } = created;
      const answer = { ...toSchedule(schedule, clock.now()), pingUrl: toPingUrl(request, pingToken) };
      return reply.code(201).send(answer);
    },
  );

  app.get(
    '/projects/:id/schedules/:scheduleId',
    { schema: { tags, summary: 'Read a schedule', params: ById, response: { 200: Schedule } } },
    async (request) =>
      toSchedule(await requireSchedule(pool, sessionOf(request).organizationId, request.params), clock.now()),
  );

  app.patch(
    '/projects/:id/schedules/:scheduleId',
    {
      schema: {
        tags,
        summary: 'Change, pause or resume a schedule',
        description: 'What is not named stays as it is. A pause resolves the incident that goes on.',
        params: ById,
        body: SchedulePatch,
        response: { 200: Schedule },
      },
    },
    async (request) =>
      toSchedule(
        await changeSchedule(dependencies, sessionOf(request), request.params, request.body),
        clock.now(),
      ),
  );

  app.delete(
    '/projects/:id/schedules/:scheduleId',
    {
      schema: {
        tags,
        summary: 'Delete a schedule',
        description: 'With its check-ins. An incident that goes on is resolved.',
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeSchedule(dependencies, sessionOf(request), request.params);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/projects/:id/schedules/:scheduleId/ping-url',
    {
      schema: {
        tags,
        summary: 'Replace the ping address of a schedule',
        description: 'The address before it is unknown from the answer on.',
        params: ById,
        response: { 201: PingUrl },
      },
    },
    async (request, reply) => {
      const token = await replacePingToken(dependencies, sessionOf(request), request.params);
      return reply.code(201).send({ pingUrl: toPingUrl(request, token) });
    },
  );

  app.get(
    '/projects/:id/schedules/:scheduleId/check-ins',
    {
      schema: {
        tags,
        summary: 'List the check-ins of a schedule',
        description:
          'Newest first, with those that were missed; the newest 500 are kept. The next page is in the `Link` header.',
        params: ById,
        querystring: ScheduleQuery,
        response: { 200: Type.Array(CheckIn) },
      },
    },
    async (request, reply) => {
      const schedule = await requireSchedule(pool, sessionOf(request).organizationId, request.params);
      const limit = pageSize(request.query.limit ?? 50);
      const before = readCursor(request.query.cursor);
      const rows = await listCheckIns(pool, schedule.id, { before, limit });
      return pageOf(request, reply, rows.map(toCheckIn), { limit, publicUrl });
    },
  );
}

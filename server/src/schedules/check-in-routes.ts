import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Store } from '../database/database.ts';
import type { HttpApp } from '../http/http-app.ts';
import { IdText } from '../http/schemas.ts';
import { hashSecret } from '../tenancy/secret-format.ts';
import { createCheckInPace } from './check-in-pace.ts';
import type { CheckInMetrics } from './metrics.ts';
import { assertPingAddress, recordCheckIn, recordPing } from './record-check-in.ts';
import { type ScheduleRow, toSchedule } from './rows.ts';
import type { ReportedStatus } from './schedule-state.ts';
import { AcceptedCheckIn, CheckInBody } from './schema.ts';

const tags = ['Check-ins'];

interface CheckInDependencies extends Store {
  metrics: CheckInMetrics;
}

/** Check of a request's key. */
interface KeyGuard {
  /** Returns the key's owner; the key may have been revoked since its last lookup. */
  ownerOf: (request: FastifyRequest) => { projectId: string };
  /** @throws ApiError `invalid_api_key` if it is not valid now */
  requireKey: (request: FastifyRequest) => Promise<void>;
}

type PingRequest = FastifyRequest<{
  Params: { token: string; exitStatus?: number };
  Querystring: { status?: string };
}>;

/** Addresses that check in by their token, with the status that each reports. */
const PINGS: [path: string, statusOf: (request: PingRequest) => ReportedStatus, summary: string][] = [
  ['/ping/:token', () => 'ok', 'Report the success of a job'],
  ['/ping/:token/start', () => 'in_progress', 'Report the start of a job'],
  ['/ping/:token/fail', () => 'error', 'Report the failure of a job'],
  [
    '/ping/:token/:exitStatus(^\\d+$)',
    ({ params }) => (params.exitStatus === 0 ? 'ok' : 'error'),
    'Report the exit status of a job',
  ],
  [
    '/api/push/:token',
    ({ query }) => (query.status === 'up' ? 'ok' : 'error'),
    'Report a job as a push monitor of Uptime Kuma',
  ],
];

const Token = Type.Object({ token: IdText });
const ExitStatus = Type.Object({ token: IdText, exitStatus: Type.Integer({ minimum: 0, maximum: 255 }) });
const PushQuery = Type.Object({
  status: Type.Optional(Type.String({ default: 'up', description: 'Anything but `up` is a failure.' })),
});
/** Uptime Kuma’s own answer, beside that of other pings. */
const AcceptedPing = Type.Object({ ok: Type.Literal(true), ...AcceptedCheckIn.properties });

/** Registers the check-in with the project's API key, which a hook of the scope has read before. */
export function registerCheckInRoute(
  app: HttpApp,
  { metrics, ...store }: CheckInDependencies,
  { ownerOf, requireKey }: KeyGuard,
): void {
  const assertPace = createCheckInPace(store.clock);
  app.post(
    '/ingest/check-ins/:slug',
    {
      schema: {
        tags,
        summary: 'Check in for a schedule',
        description:
          'Answers 200 once the check-in is durable; without a body it is a success. `schedule` declares the schedule with its first check-in.',
        params: Type.Object({ slug: IdText }),
        body: CheckInBody,
        response: { 200: AcceptedCheckIn },
      },
      // Before the body is read, like the check of the key.
      onRequest: (request, _reply, done) => {
        assertPace(`${ownerOf(request).projectId} ${request.params.slug}`);
        done();
      },
    },
    async (request) => {
      await requireKey(request);
      const { projectId } = ownerOf(request);
      const { slug } = request.params;
      const { status = 'ok', schedule: declared = null } = request.body ?? {};
      const schedule = await recordCheckIn(store, projectId, slug, { status, declared });
      metrics.checkIns.inc({ status });
      return toAnswer(store, schedule);
    },
  );
}

/**
 * Registers the check-ins with the token in the address alone, by GET or POST, so that any program that can fetch an
 * address can check in.
 */
export function registerPingRoutes(app: HttpApp, { metrics, ...store }: CheckInDependencies): void {
  const assertPace = createCheckInPace(store.clock);
  // A job may post its output, which is discarded as it arrives. The check-in counts once all of it has arrived: that
  // may be the job's end.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
  for (const [path, statusOf, summary] of PINGS) {
    const schema = {
      tags,
      summary,
      params: path.includes(':exitStatus') ? ExitStatus : Token,
      ...(path.startsWith('/api') && { querystring: PushQuery }),
      response: { 200: AcceptedPing },
    };
    /** Before the body is read. */
    const onRequest = async ({ params: { token } }: PingRequest) => {
      assertPace(hashSecret(token).toString('base64'));
      await assertPingAddress(store, token);
    };
    const handler = async (request: PingRequest, reply: FastifyReply) => {
      const status = statusOf(request);
      const schedule = await recordPing(store, request.params.token, status);
      metrics.checkIns.inc({ status });
      return reply.header('cache-control', 'no-store').send({ ok: true, ...toAnswer(store, schedule) });
    };
    app.get(path, { schema, onRequest }, handler);
    app.post(path, { schema, onRequest }, handler);
  }
}

function toAnswer({ clock }: Store, row: ScheduleRow) {
  const { id, nextDueAt } = toSchedule(row, clock.now());
  return { status: 'recorded' as const, scheduleId: id, nextDueAt };
}

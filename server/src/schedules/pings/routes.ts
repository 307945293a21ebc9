import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { HttpApp } from '../../http/http-app.ts';
import { IdText } from '../../http/schemas.ts';
import { hashSecret } from '../../tenancy/secret-format.ts';
import { createCheckInPace } from '../check-in-pace.ts';
import type { CheckInMetrics } from '../metrics.ts';
import { toAcceptedCheckIn } from '../rows.ts';
import { AcceptedCheckIn } from '../schema.ts';
import { type Ping, readOutput, readPing } from './read-ping.ts';
import { assertPingAddress, type PingStore, recordPing } from './record-ping.ts';

interface PingDependencies extends PingStore {
  metrics: CheckInMetrics;
  /** Notes that a ping key was used. */
  noteUse: (keyId: string) => void;
}

const RunId = Type.String({
  pattern: '^[\\da-fA-F]{8}(-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}$',
  description: 'UUID of the run: it pairs the start and the end of runs that overlap.',
});
const PingQuery = Type.Object({
  rid: Type.Optional(RunId),
  create: Type.Optional(
    Type.String({
      description:
        '`1`: with a ping key, creates the schedule that is not there: once a day, an hour of grace.',
    }),
  ),
});
const PushQuery = Type.Object({
  status: Type.Optional(Type.String({ default: 'up', description: 'Anything but `up` is a failure.' })),
  msg: Type.Optional(Type.String({ description: 'Kept as the output.' })),
});
const Token = Type.String({ ...IdText, description: 'Token of the schedule’s ping address, or a ping key.' });
const Slug = Type.String({ ...IdText, description: 'Slug of the schedule, behind a ping key.' });
const Report = '`start`, `fail`, `log` (output alone) or the exit status, 0 to 255';

/** Uptime Kuma’s own answer, beside that of other pings. */
const AcceptedPing = Type.Object({ ok: Type.Literal(true), ...AcceptedCheckIn.properties });

type PingRequest = FastifyRequest<{
  Params: { token: string; part?: string; report?: string };
  Querystring: Static<typeof PingQuery> & Static<typeof PushQuery>;
}>;

const ROUTES = [
  {
    url: '/ping/:token',
    summary: 'Report the success of a job',
    description:
      'The address alone is the secret. The body, if any, is kept as the output of the job; PUT, PATCH and DELETE do the same.',
    params: Type.Object({ token: Token }),
    querystring: PingQuery,
    read: ({ params }: PingRequest) => readPing(params.token),
  },
  {
    url: '/ping/:token/:part',
    summary: 'Report the start, the failure, the output or the exit status of a job',
    description:
      '`start` begins a run, and `fail` or an exit status other than 0 ends it as a failure. Behind a ping key the last part is the slug of a schedule, and the report a success.',
    params: Type.Object({
      token: Token,
      part: Type.String({ ...IdText, description: `${Report}; behind a ping key the slug, for a success.` }),
    }),
    querystring: PingQuery,
    read: ({ params: { token, part = '' } }: PingRequest) => readPing(token, part),
  },
  {
    url: '/ping/:token/:part/:report',
    summary: 'Report the same of a job by its slug',
    description: 'For a ping key, which covers all schedules of a project: the slug names the schedule.',
    params: Type.Object({
      token: Token,
      part: Slug,
      report: Type.String({ ...IdText, description: `${Report}.` }),
    }),
    querystring: PingQuery,
    read: ({ params: { token, part = '', report = '' } }: PingRequest) => readPing(token, part, report),
  },
  {
    url: '/api/push/:token',
    summary: 'Report a job as a push monitor of Uptime Kuma',
    description:
      'For jobs that already call a push monitor: `status=up` is a success, anything else a failure, and `msg` is kept as the output.',
    params: Type.Object({ token: Token }),
    querystring: PushQuery,
    read: ({ params, query }: PingRequest): Ping => ({
      ...readPing(params.token),
      status: query.status === 'up' ? 'ok' : 'error',
    }),
  },
];

/** Methods that healthchecks and Uptime Kuma take as well. */
const OTHER_METHODS = ['PUT', 'PATCH', 'DELETE'];

/**
 * Registers the check-ins with a secret in the address alone, by any method, so that any program that can fetch an
 * address can check in.
 */
export function registerPingRoutes(app: HttpApp, { metrics, noteUse, ...store }: PingDependencies): void {
  const assertPace = createCheckInPace(store.clock);
  // A job may post its output. The check-in counts once all of it has arrived: that may be the job's end.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const { url, read, ...described } of ROUTES) {
    const schema = { tags: ['Check-ins'], ...described, response: { 200: AcceptedPing, 201: AcceptedPing } };
    /** Before the body is read. */
    const onRequest = async (request: PingRequest) => {
      const { address } = read(request);
      assertPace(`${hashSecret(address.token).toString('base64')} ${address.slug}`);
      await assertPingAddress(store, address);
    };
    const handler = async (request: PingRequest, reply: FastifyReply) => {
      const { address, status } = read(request);
      const { rid, create } = request.query;
      const report = { status, runId: rid?.toLowerCase() ?? null, body: outputOf(request) };
      const { schedule, isNew, keyId } = await recordPing(store, address, report, create === '1');
      metrics.checkIns.inc({ status });
      if (keyId !== null) noteUse(keyId);
      return reply
        .code(isNew ? 201 : 200)
        .header('cache-control', 'no-store')
        .send({ ok: true, ...toAcceptedCheckIn(schedule, store.clock.now()) });
    };
    app.get(url, { schema, onRequest }, handler);
    app.post(url, { schema, onRequest }, handler);
    app.route({ method: OTHER_METHODS, url, schema: { ...schema, hide: true }, onRequest, handler });
  }
}

/** Nothing is decompressed: output that a job compressed is not kept. */
function outputOf({ body, headers, query }: PingRequest): string | null {
  if (query.msg !== undefined) return readOutput(Buffer.from(query.msg));
  return body instanceof Buffer && headers['content-encoding'] === undefined ? readOutput(body) : null;
}

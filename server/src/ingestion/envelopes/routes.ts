import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { HttpApp } from '../../http/http-app.ts';
import { gunzipStart } from '../../http/request-encodings.ts';
import { IdText } from '../../http/schemas.ts';
import { ApiError } from '../../platform/errors.ts';
import { PREFLIGHT_HEADERS } from './answers.ts';
import { findRequestKey, parseDsn } from './dsn.ts';
import type { EnvelopeDependencies } from './keep-content.ts';
import { readEnvelope, readEnvelopeHeaders } from './read-envelope.ts';
import { readItems, readLoneCheckIn, readLoneEvent, readReports } from './read-items.ts';
import { bodyOf, createReceiver, type DsnRequest, type ReadBody } from './receive.ts';

/** Maximum body as sent. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Maximum body through a tunnel, whose key is known only once it is read. */
const MAX_TUNNEL_BYTES = 2 * 1024 * 1024;
/** Maximum length of the headers of an envelope through a tunnel. */
export const MAX_HEADER_BYTES = 16 * 1024;

const readWholeEnvelope: ReadBody = (bytes, receivedAtMs) => readItems(readEnvelope(bytes), receivedAtMs);

/** Endpoints below `/api/:number`, with and without the slash at the end that clients send. */
const ENDPOINTS: {
  name: string;
  summary: string;
  description: string;
  read: ReadBody;
  isForBrowsers: boolean;
}[] = [
  {
    name: 'envelope',
    summary: 'Send an envelope of a Sentry client',
    description:
      'Set the DSN of the project: the client makes this address of it. Errors, messages and check-ins are taken; items of other kinds are left out and counted.',
    read: readWholeEnvelope,
    isForBrowsers: true,
  },
  {
    name: 'store',
    summary: 'Send an event of an older Sentry client',
    description: 'Takes a single event, as clients before the envelope send it.',
    read: readLoneEvent,
    isForBrowsers: false,
  },
  {
    name: 'security',
    summary: 'Report a violation of a security policy by a browser',
    description:
      'For `report-uri` and `report-to` of a Content-Security-Policy. The key is in `sentry_key` of the address.',
    read: readReports,
    isForBrowsers: true,
  },
];

const Params = Type.Object({ number: IdText });
const CronParams = Type.Object({ number: IdText, slug: IdText, key: IdText });
const Answer = Type.Object({
  id: Type.Optional(Type.String({ description: 'Id of the event, as its client made it.' })),
});

type CronRequest = FastifyRequest<{ Params: Static<typeof CronParams> }>;

/**
 * Routes for the clients of Sentry, in a scope of its own: bodies have any type or none, and pages of any origin send
 * them.
 */
export function registerEnvelopeRoutes(app: HttpApp, dependencies: EnvelopeDependencies): void {
  const { admit, receive } = createReceiver(app, dependencies);
  const schemaOf = (summary: string, description: string) => ({
    tags: ['Clients of Sentry'],
    summary,
    description,
    params: Params,
    response: { 200: Answer },
  });
  for (const { name, summary, description, read, isForBrowsers } of ENDPOINTS)
    for (const url of [`/api/:number/${name}/`, `/api/:number/${name}`]) {
      const onRequest = (request: DsnRequest) =>
        admit(request, { number: request.params.number, rawKey: findRequestKey(request) }, isForBrowsers);
      const schema = schemaOf(summary, description);
      app.post(url, { schema, bodyLimit: MAX_BODY_BYTES, onRequest }, (request: DsnRequest, reply) =>
        receive(request, reply, read),
      );
      app.options(url, { schema: { hide: true } }, answerPreflight);
    }
  for (const method of ['GET', 'POST'])
    for (const url of ['/api/:number/cron/:slug/:key/', '/api/:number/cron/:slug/:key'])
      app.route({
        method,
        url,
        schema: {
          ...schemaOf(
            'Check in as older Sentry clients do',
            'The status of the run is in `status`: `in_progress`, `ok` or `error`.',
          ),
          params: CronParams,
        },
        onRequest: (request: CronRequest) =>
          admit(request, { number: request.params.number, rawKey: request.params.key }, false),
        handler: (request: CronRequest, reply) =>
          receive(request, reply, (bytes) => readLoneCheckIn(bytes, request.params.slug, request.query)),
      });
  for (const url of ['/api/:number/minidump/', '/api/:number/minidump'])
    app.post(
      url,
      {
        schema: schemaOf(
          'Refuse a minidump of a native crash',
          'Answers 415: send the exception and its frames as an event in an envelope.',
        ),
        onRequest: async (request: DsnRequest) => {
          await admit(request, { number: request.params.number, rawKey: findRequestKey(request) }, false);
          throw new ApiError(
            'unsupported_media_type',
            'Minidumps are not taken: send the exception and its frames as an event in an envelope.',
          );
        },
      },
      () => ({}),
    );
  const tunnel = '/t/:number';
  const schema = schemaOf(
    'Send an envelope through a page’s own server, with the DSN in it',
    'For the `tunnel` option of browser clients, which blockers of advertisements do not know.',
  );
  app.post(
    tunnel,
    { schema, bodyLimit: MAX_TUNNEL_BYTES, onRequest: refuseOtherCodings },
    async (request: DsnRequest, reply) => {
      // The place in the queue is one of the project: a stranger takes none, and has no more decompressed than this.
      const body = bodyOf(request);
      const isPacked = request.headers['content-encoding'] === 'gzip';
      const start = isPacked ? await gunzipStart(body, MAX_HEADER_BYTES) : body.subarray(0, MAX_HEADER_BYTES);
      const { dsn } = readEnvelopeHeaders(start);
      await admit(request, parseDsn(dsn, request.params.number), true);
      return receive(request, reply, readWholeEnvelope);
    },
  );
  app.options(tunnel, { schema: { hide: true } }, answerPreflight);
}

/** The key of a tunnel is in the body. Browsers do not compress it, and programs by gzip. */
async function refuseOtherCodings({ headers }: FastifyRequest): Promise<void> {
  if (['gzip', 'identity'].includes(headers['content-encoding'] ?? 'identity')) return;
  throw new ApiError(
    'unsupported_encoding',
    'Send envelopes through the tunnel in gzip or without compression.',
  );
}

function answerPreflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers(PREFLIGHT_HEADERS).code(204).send();
}

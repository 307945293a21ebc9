import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import compress from '@fastify/compress';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastJsonStringify from 'fast-json-stringify';
import Fastify, { type FastifySerializerCompiler } from 'fastify';
import { systemClock } from '../platform/clock.ts';
import { ApiError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { createFailureLog, installErrorHandling, writeProblem } from './error-handling.ts';
import { createDirectAnswers, type DirectAnswers, type FrontDoor } from './front-door.ts';
import type { HttpApp } from './http-app.ts';
import { installJsonParser } from './json-parser.ts';
import { recordAnswer } from './record-answer.ts';
import { refuseConnection } from './refuse-connection.ts';
import { installRequestChecks } from './request-checks.ts';
import { REQUEST_ENCODINGS, refuseEncodings } from './request-encodings.ts';
import type { HttpMetrics } from './request-metrics.ts';
import { StalledSockets } from './sockets/stalled-sockets.ts';
import { boundUnreadBodies } from './unread-bodies.ts';
import { boundUnsentBytes } from './unsent-bytes.ts';
import { compileValidator } from './validation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    stalledSockets: StalledSockets;
  }
}

export interface HttpAppOptions {
  /** Label of this service in logs and metrics. */
  service: 'management' | 'ingestion' | 'metrics';
  log: Log;
  metrics: HttpMetrics;
  trustProxy: boolean | string[];
  /** Maximum body in bytes after decompression, unless a route sets its own. */
  bodyLimit: number;
  /** Maximum time until a request has arrived, its body included. */
  requestTimeoutMs: number;
  /** True if bodies may be compressed. */
  decompressRequests: boolean;
  /** Adds hooks that run before every refusal, for headers of each answer. */
  registerFirst?: (app: HttpApp) => Promise<void>;
  /** Answers some of the requests before the framework does; unset: none. */
  frontDoor?: FrontDoor;
  /** Takes the requests that are for another application of this process; returns false for all others. */
  passOn?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** True to compress answers (dashboards read long lists; ingestion's answers are too short to gain). */
  compressResponses: boolean;
}

/** Maximum time for a request's first line and headers, and for a connection that sends nothing at all. */
const HEADERS_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** Maximum time by which a connection may exceed its limit. */
const TIMEOUT_CHECK_INTERVAL_MS = 5_000;

/**
 * Creates a Fastify application with the common parts of both services: strict JSON, one error format, the order of
 * refusals (404 of the route, 405, then those of the routes' hooks), bounded bodies and times, metrics.
 */
export async function createHttpApp(options: HttpAppOptions): Promise<HttpApp> {
  const { log, metrics, service } = options;
  const newRequestId = createRequestIds();
  const logFailure = createFailureLog(log);
  const answers = createDirectAnswers({
    service,
    log,
    metrics,
    newRequestId,
    logFailure,
    // The same clock as that of `node:http`.
    clock: systemClock,
    keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS,
  });
  const app = createFramework(options, newRequestId, answers);
  const stalledSockets = new StalledSockets(app.server);
  app.addHook('onClose', () => stalledSockets.stop());
  app.decorate('stalledSockets', stalledSockets);
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  installErrorHandling(app, logFailure);
  installJsonParser(app);
  await options.registerFirst?.(app);
  installRequestChecks(app);
  installMetrics(app, service, metrics, log);

  refuseEncodings(app, options.decompressRequests ? REQUEST_ENCODINGS : []);
  boundUnreadBodies(app);
  await app.register(compress, {
    globalCompression: options.compressResponses,
    // Its decoders would also run for bodies that are not read. Here only the parsers of whole bodies decompress.
    globalDecompression: false,
    encodings: ['gzip', 'deflate'],
  });
  boundUnsentBytes(app);
  return app;
}

function createFramework(
  options: HttpAppOptions,
  newRequestId: () => string,
  answers: DirectAnswers,
): HttpApp {
  const { log, passOn } = options;
  return Fastify({
    logger: false,
    genReqId: newRequestId,
    serverFactory: (framework) => {
      const server = createServer(
        {
          // A missing Host header is refused below, in the one form of all errors.
          requireHostHeader: false,
          requestTimeout: options.requestTimeoutMs,
          headersTimeout: Math.min(HEADERS_TIMEOUT_MS, options.requestTimeoutMs),
          connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_INTERVAL_MS, options.requestTimeoutMs),
          keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        },
        passOn
          ? (request, response) => {
              if (!passOn(request, response)) framework(request, response);
            }
          : framework,
      );
      options.frontDoor?.(server, answers);
      return server;
    },
    bodyLimit: options.bodyLimit,
    trustProxy: options.trustProxy,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false },
    exposeHeadRoutes: true,
    // Fastify's own default would answer 503 to requests that were already in progress when closing began.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      log.debug({ requestId: request.id, code: error.code }, 'the request line is malformed');
      // A text too long for an id is answered like an unknown id.
      const problem =
        error.code === 'FST_ERR_MAX_PARAM_LENGTH'
          ? new ApiError('not_found', 'There is nothing at this address.')
          : new ApiError('bad_request', 'The address of the request is malformed.');
      void writeProblem(reply, problem, request.id);
    },
    clientErrorHandler: refuseConnection,
  }).withTypeProvider<TypeBoxTypeProvider>();
}

/** Serializers by the schema of a route, which all applications of a process declare with the same object. */
const serializers = new WeakMap<object, (answer: unknown) => string>();

/** Compiles with the first answer: the schemas of all routes cost a large part of the start of a role. */
const compileSerializer: FastifySerializerCompiler<object> =
  ({ schema }) =>
  (answer) => {
    let compiled = serializers.get(schema);
    if (!compiled) serializers.set(schema, (compiled = fastJsonStringify(schema)));
    return compiled(answer);
  };

function installMetrics(
  app: HttpApp,
  service: HttpAppOptions['service'],
  metrics: HttpMetrics,
  log: Log,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    recordAnswer(metrics, log, {
      service,
      requestId: () => request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      elapsedMs: reply.elapsedTime,
    });
    done();
  });
}

/**
 * Ids that are unique across processes and restarts by their first half; counting is cheaper than drawing a UUID each
 * time.
 */
function createRequestIds(): () => string {
  const prefix = randomUUID().slice(0, 13);
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}

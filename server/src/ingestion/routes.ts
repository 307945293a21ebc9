import type { FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { Pool } from '../database/database.ts';
import type { EventReads } from '../events/reader.ts';
import type { HttpApp } from '../http/http-app.ts';
import { registerRoutes, routesOf } from '../http/route.ts';
import { IdText } from '../http/schemas.ts';
import type { Clock } from '../platform/clock.ts';
import { ApiError } from '../platform/errors.ts';
import { toUuid } from '../platform/ids.ts';
import { findClaims } from '../queue/queries.ts';
import { registerAlertRoutes } from './alerts/alert-route.ts';
import { type KeyAuthentication, keyOwnerOf } from './authentication/authenticate.ts';
import type { KeyUsage } from './authentication/key-usage.ts';
import { registerBulkRoute } from './bulk/bulk-route.ts';
import { registerCloudEventRoute } from './cloudevents/cloud-event-route.ts';
import { deployRoute } from './deploy-route.ts';
import {
  AcceptedEvent,
  CustomEventBody,
  Job,
  MAX_EVENT_BYTES,
  PaymentBody,
  ServerErrorBody,
  WebhookBody,
} from './event/schema.ts';
import type { Observation } from './event/to-event.ts';
import { findJob } from './find-job.ts';
import type { AcceptDependencies, Receipt } from './intake/accept.ts';
import { paymentClaimKey, readIdempotencyKey } from './intake/idempotency.ts';
import type { Intake } from './intake/intake.ts';
import type { ItemCounts } from './intake/item-counts.ts';
import { createBodyQueue } from './intake/large-bodies.ts';
import { fromCustomEvent } from './mappers/custom-event.ts';
import { fromPayment } from './mappers/payment.ts';
import { fromServerError } from './mappers/server-error.ts';
import { fromWebhook } from './mappers/webhook.ts';
import { registerOtlpRoutes } from './otlp/otlp-route.ts';
import { acceptLimited } from './quotas/accept-limited.ts';
import type { Quotas } from './quotas/quotas.ts';
import type { Spooling } from './spool/accept-or-spool.ts';

interface IngestionDependencies {
  pool: Pool;
  /** Stored events, which tell what became of a job. */
  storedEvents: EventReads;
  clock: Clock;
  intake: Intake;
  authentication: KeyAuthentication;
  usage: KeyUsage;
  scrubSettingsOf: AcceptDependencies['scrubSettingsOf'];
  /** Null: this process keeps nothing on disk. */
  spooling: Spooling | null;
  counts: ItemCounts;
  quotas: Quotas;
}

const route = routesOf<IngestionDependencies>('Ingestion');

/**
 * Declares the route of one kind of observation, acknowledged once it is durable; a repeat gets the job of the first.
 */
function observe<Body extends TSchema>(
  url: string,
  { summary, body }: { summary: string; body: Body },
  read: (body: FastifyRequest<{ Body: Static<Body> }>['body'], receipt: Receipt) => Observation,
) {
  return route.post(url, {
    summary,
    description:
      'Answers 202 once the event is durable. A repeat of an `Idempotency-Key` gets the first answer.',
    body,
    answer: AcceptedEvent,
    status: 202,
    handle: (request, dependencies) => {
      const receipt = { receivedAtMs: dependencies.clock.now(), claimKey: readIdempotencyKey(request) };
      const sender = { owner: keyOwnerOf(request), connection: request.raw.socket };
      const observation = read(request.body, receipt);
      const findRepeat = () => findRepeatedJob(dependencies, request, receipt.claimKey);
      return acceptLimited(dependencies, sender, observation, { ...receipt, findRepeat });
    },
  });
}

/** Finds the job of an earlier request; null: there is none. @throws ApiError `invalid_api_key` */
async function findRepeatedJob(
  { authentication, pool }: IngestionDependencies,
  request: FastifyRequest,
  key: string | null,
): Promise<string | null> {
  if (key === null) return null;
  await authentication.requireValidKey(request);
  const [claim] = await findClaims(pool, [{ projectId: keyOwnerOf(request).projectId, key }]);
  return claim?.jobId ?? null;
}

/** Plain events reach this route only if the hot route leaves them to it. */
const routes = [
  observe('/ingest/events', { summary: 'Send a custom event', body: CustomEventBody }, (body, receipt) =>
    fromCustomEvent(body, receipt.receivedAtMs),
  ),
  observe(
    '/ingest/server-error',
    { summary: 'Report a server error', body: ServerErrorBody },
    fromServerError,
  ),
  observe('/ingest/webhook', { summary: 'Pass a webhook on', body: WebhookBody }, fromWebhook),
  observe('/ingest/payments', { summary: 'Pass a payment notice on', body: PaymentBody }, (body, receipt) => {
    if (body.id !== undefined) receipt.claimKey = paymentClaimKey(body.id);
    return fromPayment(body);
  }),
  deployRoute,
  route.get('/ingest/jobs/:jobId', {
    summary: 'Status of an accepted event',
    description:
      '`queued`, `processed`, or `failed` with the reason. The id is the `jobId` of the answer 202.',
    params: Type.Object({ jobId: IdText }),
    answer: Job,
    handle: async (request, { storedEvents, authentication }) => {
      await authentication.requireValidKey(request);
      const eventId = toUuid('job', request.params.jobId);
      const job = eventId && (await findJob(storedEvents, keyOwnerOf(request), eventId));
      if (!job) throw new ApiError('not_found', 'Job not found.');
      return job;
    },
  }),
];

/** Routes of ingestion. */
export function registerIngestionRoutes(app: HttpApp, dependencies: IngestionDependencies): void {
  dependencies.authentication.install(app);
  registerRoutes(app, routes, dependencies);
  const withBodies = { ...dependencies, bodies: createBodyQueue() };
  app.register(async (bulk) => registerBulkRoute(bulk as HttpApp, withBodies));
  app.register(async (scope) => registerAlertRoutes(scope as HttpApp, withBodies));
  app.register(async (scope) => registerCloudEventRoute(scope as HttpApp, withBodies));
  app.register(async (otlp) => registerOtlpRoutes(otlp as HttpApp, withBodies));
}

/** Maximum body of a route that takes a single event. */
export const EVENT_BODY_LIMIT = MAX_EVENT_BYTES;

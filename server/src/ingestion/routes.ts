import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Clock } from '../platform/clock.ts';
import type { Pool } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { HttpApp } from '../platform/http/app.ts';
import { IdText } from '../platform/http/schemas.ts';
import { toUuid } from '../platform/ids.ts';
import { findJob } from '../processing/find-job.ts';
import { acceptObservation } from './accept.ts';
import { type KeyAuthentication, keyOwnerOf } from './authenticate.ts';
import { registerBulkRoute } from './bulk-route.ts';
import { fromCustomEvent } from './custom-event.ts';
import { paymentClaimKey, readIdempotencyKey } from './idempotency.ts';
import type { Intake } from './intake.ts';
import type { KeyUsage } from './key-usage.ts';
import { fromPayment } from './payment.ts';
import {
  Accepted,
  CustomEventBody,
  Job,
  MAX_EVENT_BYTES,
  PaymentBody,
  ServerErrorBody,
  WebhookBody,
} from './schema.ts';
import { fromServerError } from './server-error.ts';
import type { Observation } from './to-event.ts';
import { fromWebhook } from './webhook.ts';

const tags = ['Ingestion'];

export interface IngestionDependencies {
  pool: Pool;
  clock: Clock;
  intake: Intake;
  authentication: KeyAuthentication;
  usage: KeyUsage;
}

/** The hot path: key, shape, event, commit, 202. */
export function registerIngestionRoutes(app: HttpApp, dependencies: IngestionDependencies): void {
  const { pool, clock, authentication } = dependencies;
  authentication.install(app);

  /** Acknowledges one observation once it is durable; a repeat gets the job of the first. */
  const accept = async (
    request: FastifyRequest,
    reply: FastifyReply,
    observation: Observation,
    receivedAtMs: number,
    claimKey: string | null,
  ) => {
    const sender = { owner: keyOwnerOf(request), connection: request.raw.socket };
    return reply
      .code(202)
      .send(await acceptObservation(dependencies, sender, observation, receivedAtMs, claimKey));
  };

  const schemaOf = <T extends TSchema>(summary: string, body: T) => ({
    tags,
    summary,
    description:
      'Answers 202 once the event is durable. A repeat of an `Idempotency-Key` gets the first answer.',
    body,
    response: { 202: Accepted },
  });

  app.post(
    '/ingest/events',
    { schema: schemaOf('Send a custom event', CustomEventBody) },
    (request, reply) => {
      const now = clock.now();
      return accept(request, reply, fromCustomEvent(request.body, now), now, readIdempotencyKey(request));
    },
  );

  app.post(
    '/ingest/server-error',
    { schema: schemaOf('Report a server error', ServerErrorBody) },
    (request, reply) =>
      accept(request, reply, fromServerError(request.body), clock.now(), readIdempotencyKey(request)),
  );

  app.post('/ingest/webhook', { schema: schemaOf('Pass a webhook on', WebhookBody) }, (request, reply) =>
    accept(request, reply, fromWebhook(request.body), clock.now(), readIdempotencyKey(request)),
  );

  app.post(
    '/ingest/payments',
    { schema: schemaOf('Pass a payment notice on', PaymentBody) },
    (request, reply) => {
      const { id } = request.body;
      const key = readIdempotencyKey(request);
      const claimKey = id === undefined ? key : paymentClaimKey(id);
      return accept(request, reply, fromPayment(request.body), clock.now(), claimKey);
    },
  );

  app.get(
    '/ingest/jobs/:jobId',
    {
      schema: {
        tags,
        summary: 'What became of an accepted event',
        params: Type.Object({ jobId: IdText }),
        response: { 200: Job },
      },
    },
    async (request) => {
      await authentication.requireValidKey(request);
      const eventId = toUuid('job', request.params.jobId);
      const job = eventId && (await findJob(pool, keyOwnerOf(request).projectId, eventId));
      if (!job) throw new ApiError('not_found', 'There is no such job.');
      return job;
    },
  );

  app.register(async (bulk) => registerBulkRoute(bulk as HttpApp, dependencies));
}

/** Largest body of a route that takes a single event. */
export const EVENT_BODY_LIMIT = MAX_EVENT_BYTES;

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Pool } from '../database/database.ts';
import type { HttpApp } from '../http/app.ts';
import { IdText } from '../http/schemas.ts';
import type { Clock } from '../platform/clock.ts';
import { ApiError } from '../platform/errors.ts';
import { toUuid } from '../platform/ids.ts';
import { type KeyAuthentication, keyOwnerOf } from './authentication/authenticate.ts';
import type { KeyUsage } from './authentication/key-usage.ts';
import { registerBulkRoute } from './bulk/bulk-route.ts';
import { registerDeployRoute } from './deploy-route.ts';
import {
  Accepted,
  CustomEventBody,
  Job,
  MAX_EVENT_BYTES,
  PaymentBody,
  ServerErrorBody,
  WebhookBody,
} from './event/schema.ts';
import type { Observation } from './event/to-event.ts';
import { findJob } from './find-job.ts';
import { acceptObservation, type Receipt } from './intake/accept.ts';
import { paymentClaimKey, readIdempotencyKey } from './intake/idempotency.ts';
import type { Intake } from './intake/intake.ts';
import { fromCustomEvent } from './mappers/custom-event.ts';
import { fromPayment } from './mappers/payment.ts';
import { fromServerError } from './mappers/server-error.ts';
import { fromWebhook } from './mappers/webhook.ts';

const tags = ['Ingestion'];

export interface IngestionDependencies {
  pool: Pool;
  clock: Clock;
  intake: Intake;
  authentication: KeyAuthentication;
  usage: KeyUsage;
}

/** The addresses of ingestion. Of plain events only those come by their route that the hot route leaves to it. */
export function registerIngestionRoutes(app: HttpApp, dependencies: IngestionDependencies): void {
  const { pool, clock, authentication } = dependencies;
  authentication.install(app);

  const receiptOf = (request: FastifyRequest): Receipt => ({
    receivedAtMs: clock.now(),
    claimKey: readIdempotencyKey(request),
  });

  /** Acknowledges one observation once it is durable; a repeat gets the job of the first. */
  const accept = async (
    request: FastifyRequest,
    reply: FastifyReply,
    observation: Observation,
    receipt: Receipt,
  ) => {
    const sender = { owner: keyOwnerOf(request), connection: request.raw.socket };
    return reply.code(202).send(await acceptObservation(dependencies, sender, observation, receipt));
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
      const receipt = receiptOf(request);
      return accept(request, reply, fromCustomEvent(request.body, receipt.receivedAtMs), receipt);
    },
  );

  app.post(
    '/ingest/server-error',
    { schema: schemaOf('Report a server error', ServerErrorBody) },
    (request, reply) => accept(request, reply, fromServerError(request.body), receiptOf(request)),
  );

  app.post('/ingest/webhook', { schema: schemaOf('Pass a webhook on', WebhookBody) }, (request, reply) =>
    accept(request, reply, fromWebhook(request.body), receiptOf(request)),
  );

  app.post(
    '/ingest/payments',
    { schema: schemaOf('Pass a payment notice on', PaymentBody) },
    (request, reply) => {
      const { id } = request.body;
      const receipt = receiptOf(request);
      if (id !== undefined) receipt.claimKey = paymentClaimKey(id);
      return accept(request, reply, fromPayment(request.body), receipt);
    },
  );

  registerDeployRoute(app, dependencies);

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
      if (!job) throw new ApiError('not_found', 'Job not found.');
      return job;
    },
  );

  app.register(async (bulk) => registerBulkRoute(bulk as HttpApp, dependencies));
}

/** Largest body of a route that takes a single event. */
export const EVENT_BODY_LIMIT = MAX_EVENT_BYTES;

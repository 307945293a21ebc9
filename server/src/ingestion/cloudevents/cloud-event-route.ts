import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type } from 'typebox';
import type { HttpApp } from '../../http/http-app.ts';
import { Nullable } from '../../http/schemas.ts';
import { ApiError } from '../../platform/errors.ts';
import { toId } from '../../platform/ids.ts';
import type { KeyedQueue } from '../../platform/keyed-queue.ts';
import { type KeyAuthentication, keyOwnerOf } from '../authentication/authenticate.ts';
import { MAX_EVENT_BYTES } from '../event/schema.ts';
import { toQueuedEvent } from '../event/to-event.ts';
import type { EventProject } from '../intake/accept.ts';
import { cloudEventClaimKey } from '../intake/idempotency.ts';
import { readLargeBody } from '../intake/large-bodies.ts';
import { BYTES_A_TURN, MAX_BULK_BYTES } from '../intake/limits.ts';
import type { LimitedDependencies } from '../quotas/accept-limited.ts';
import { acceptAll, type EncodedEvent } from './accept-all.ts';
import { type CloudEvent, readCloudEvents } from './read-cloud-events.ts';
import { nameOf, toObservation } from './to-observation.ts';

export interface CloudEventDependencies extends LimitedDependencies {
  authentication: KeyAuthentication;
  /** Slots for the work on large bodies. */
  bodies: KeyedQueue;
}

const PATH = '/ingest/cloudevents';

const Accepted = Type.Object({
  status: Type.Literal('queued'),
  jobId: Nullable(Type.String({ description: 'Job of the first event; null for an empty batch.' })),
  events: Type.Integer({ description: 'Number of events, repeats included.' }),
});

/** Registers the address for CloudEvents in a scope of its own: in the binary mode a body has any type. */
export function registerCloudEventRoute(app: HttpApp, dependencies: CloudEventDependencies): void {
  const { authentication, bodies, clock, scrubSettingsOf } = dependencies;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(
    PATH,
    {
      bodyLimit: MAX_BULK_BYTES,
      config: { takesAuthorization: true },
      schema: {
        tags: ['Ingestion'],
        summary: 'Send CloudEvents',
        description:
          'Structured, binary or as a batch (CloudEvents 1.0 over HTTP), at most 10,000 and 10 MiB, 1 MiB an event. Answers 202 once all are durable; a repeat of `source` and `id` is recognised for 30 days. One that is no CloudEvent refuses the whole batch.',
        response: { 202: Accepted },
      },
    },
    async (request, reply) => {
      const owner = keyOwnerOf(request);
      const { projectId } = owner;
      const project = { projectId, scrubSettings: scrubSettingsOf(projectId) };
      const encoded = await readLargeBody(bodies, request, reply, (bytes) =>
        encode(project, readCloudEvents(request.headers, bytes), clock.now()),
      );
      if (encoded.length === 0) await authentication.requireValidKey(request);
      const firstJob = await acceptAll(dependencies, { owner, connection: request.raw.socket }, encoded);
      const jobId = firstJob && toId('job', firstJob);
      return reply.code(202).send({ status: 'queued', jobId, events: encoded.length });
    },
  );
}

/**
 * Registers the handshake by which a sender asks if it may send (HTTP 1.1 Web Hooks for Event Delivery). It needs no key:
 * the events do.
 */
export function registerCloudEventHandshake(app: HttpApp): void {
  // A body is discarded: nothing is decompressed for a stranger.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
  app.options(PATH, { schema: { hide: true } }, ({ headers }, reply) => {
    const origin = headers['webhook-request-origin'];
    if (typeof origin === 'string')
      void reply.headers({ 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' });
    return reply.header('allow', 'POST, OPTIONS').code(204).send();
  });
}

/** Returns each event of a request once, with the claim by which it is recognised. */
async function encode(
  { projectId, scrubSettings }: EventProject,
  events: Iterable<CloudEvent>,
  receivedAtMs: number,
): Promise<EncodedEvent[]> {
  const encoded = new Map<string, EncodedEvent>();
  let turnBytes = 0;
  for (const event of events) {
    if (turnBytes >= BYTES_A_TURN) {
      turnBytes = 0;
      await nextTurn();
    }
    const key = cloudEventClaimKey(nameOf(event));
    const observation = toObservation(event, receivedAtMs);
    const queued = toQueuedEvent(projectId, observation, receivedAtMs, scrubSettings);
    const text = JSON.stringify(queued);
    if (Buffer.byteLength(text) > MAX_EVENT_BYTES)
      throw new ApiError('body_too_large', 'An event is larger than 1 MiB.');
    encoded.set(key, { text, claim: { key, jobId: queued.id, answer: null } });
    turnBytes += text.length;
  }
  return [...encoded.values()];
}

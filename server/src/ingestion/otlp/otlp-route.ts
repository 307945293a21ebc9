import type { FastifyRequest } from 'fastify';
import type { HttpApp } from '../../http/http-app.ts';
import { ApiError } from '../../platform/errors.ts';
import type { KeyedQueue } from '../../platform/keyed-queue.ts';
import type { Claim } from '../../queue/queue.ts';
import { type KeyAuthentication, keyOwnerOf } from '../authentication/authenticate.ts';
import { encodeObservations } from '../intake/accept.ts';
import { otlpClaimKey } from '../intake/idempotency.ts';
import { type ItemCounts, NOT_KEPT } from '../intake/item-counts.ts';
import { readLargeBody } from '../intake/large-bodies.ts';
import { MAX_BULK_BYTES } from '../intake/limits.ts';
import type { Quotas } from '../quotas/quotas.ts';
import { acceptOrSpool, type SpoolDependencies } from '../spool/accept-or-spool.ts';
import { formatAcceptance, formatStatus, MEDIA_TYPES } from './answers.ts';
import {
  type ExportCounts,
  NO_ITEMS,
  type OtlpFormat,
  parseRequest,
  readObservations,
} from './export-request.ts';
import { fieldOf, textOf } from './json-values.ts';
import { LOGS, type Signal, TRACES } from './messages.ts';

export interface OtlpDependencies extends SpoolDependencies {
  authentication: KeyAuthentication;
  /** Slots for the work on large bodies. */
  bodies: KeyedQueue;
  counts: ItemCounts;
  quotas: Quotas;
}

/**
 * Duration of an outage from which on batches are kept on disk: exporters send one again for about nine seconds, and then
 * drop it.
 */
const SPOOL_AFTER_MS = 5_000;

const PROTOBUF = /^application\/x-protobuf(?:\s*;|$)/i;
const JSON_TYPE = /^application\/json(?:\s*;|$)/i;

/** OTLP over HTTP, in a scope of its own: its bodies are binary or large, and its refusals have a form of their own. */
export function registerOtlpRoutes(app: HttpApp, dependencies: OtlpDependencies): void {
  app.removeAllContentTypeParsers();
  for (const type of [PROTOBUF, JSON_TYPE])
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (_request, bytes, done) =>
      done(null, bytes),
    );
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode < 400 || typeof payload !== 'string') return payload;
    const format = formatOf(request);
    void reply.header('content-type', MEDIA_TYPES[format]);
    return formatStatus(format, reply.statusCode, detailOf(payload));
  });

  declareExport(app, dependencies, LOGS, {
    summary: 'Export logs (OTLP)',
    description:
      'OTLP/HTTP as JSON or Protocol Buffers, also compressed; at most 10,000 records and 10 MiB, and 48 MiB as events. Each record is an event.',
  });
  declareExport(app, dependencies, TRACES, {
    summary: 'Export exceptions of spans (OTLP)',
    description:
      'As logs. Each exception that a span recorded is an event; the spans themselves are not stored.',
  });
  app.post(
    '/v1/metrics',
    {
      config: { takesAuthorization: true },
      schema: {
        tags: ['Ingestion'],
        summary: 'Refuse metrics (OTLP)',
        description: 'Answers 404 with a sentence.',
      },
    },
    () => {
      throw new ApiError(
        'not_found',
        'Metrics are not taken, only logs and traces: set OTEL_METRICS_EXPORTER=none.',
      );
    },
  );
}

function declareExport(
  app: HttpApp,
  dependencies: OtlpDependencies,
  signal: Signal,
  words: { summary: string; description: string },
): void {
  const { authentication, bodies, clock } = dependencies;
  const answer = { 200: { description: 'Accepted, or accepted in part.' } };
  // Some write the address by hand, with a slash at its end.
  for (const slash of ['', '/'])
    app.post(
      `${signal.path}${slash}`,
      {
        bodyLimit: MAX_BULK_BYTES,
        config: { takesAuthorization: true },
        schema: {
          tags: ['Ingestion'],
          ...words,
          hide: slash !== '',
          consumes: Object.values(MEDIA_TYPES),
          response: answer,
        },
      },
      async (request, reply) => {
        const owner = keyOwnerOf(request);
        const format = formatOf(request);
        const counts = { ...NO_ITEMS };
        const read = await readLargeBody(bodies, request, reply, async (bytes) => {
          const receivedAtMs = clock.now();
          // An empty message has no bytes.
          const parsed = bytes.length === 0 ? {} : parseRequest(bytes, format, signal);
          const observations = readObservations(parsed, signal, receivedAtMs, counts);
          const { projectId } = owner;
          const project = { projectId, scrubSettings: dependencies.scrubSettingsOf(projectId) };
          const encoded = await encodeObservations(project, observations, receivedAtMs, (length) => {
            counts.characters += length;
          });
          const claimedId = counts.hasTime ? encoded.firstId : null;
          return { receivedAtMs, ...encoded, claim: claimOf(bytes, owner.keyId, claimedId) };
        });
        const { receivedAtMs, texts, firstId, claim } = read;
        const taken = await dependencies.quotas.take(owner, texts.length, signal.category);
        taken.assertSome();
        counts.overQuota = texts.length - taken.events;
        texts.length = taken.events;
        let isRepeat = false;
        if (firstId === null) await authentication.requireValidKey(request);
        else {
          const sender = { owner, connection: request.raw.socket, taken };
          const spoolable = { events: texts, eventId: firstId, claim, receivedAtMs };
          const acceptance = { ...spoolable, spoolAfterMs: SPOOL_AFTER_MS };
          isRepeat = (await acceptOrSpool(dependencies, sender, acceptance)) !== null;
        }
        if (!isRepeat) noteUnstored(dependencies.counts, owner.projectId, signal, counts);
        return reply.type(MEDIA_TYPES[format]).send(formatAcceptance(format, signal, counts));
      },
    );
}

/** Counts what led to no event: the spans themselves, and rejected items. */
function noteUnstored(known: ItemCounts, projectId: string, signal: Signal, counts: ExportCounts): void {
  const rejected = counts.beyond + counts.unreadable;
  const kept = signal === TRACES ? counts.items - rejected : 0;
  const { category: kind } = signal;
  if (kept > 0) known.note({ projectId, kind, reason: NOT_KEPT, quantity: kept });
  if (rejected > 0) known.note({ projectId, kind, reason: 'rejected', quantity: rejected });
}

/**
 * Returns the claim by which a repeated batch is recognised: exporters send one again after a refusal or a lost answer.
 * @param firstId id of the first event; null: the body is not claimed
 */
function claimOf(body: Buffer, keyId: string, firstId: string | null): Claim | null {
  if (firstId === null) return null;
  return { key: otlpClaimKey(keyId, body), jobId: firstId, answer: null };
}

function formatOf({ headers }: FastifyRequest): OtlpFormat {
  return PROTOBUF.test(headers['content-type'] ?? '') ? 'protobuf' : 'json';
}

/** Returns the sentence of a problem document. */
function detailOf(problem: string): string {
  return textOf(fieldOf(JSON.parse(problem), 'detail'));
}

import { type Static, Type } from 'typebox';
import type { HttpApp } from '../../http/http-app.ts';
import { decompress } from '../../http/request-encodings.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import type { Clock } from '../../platform/clock.ts';
import { toId } from '../../platform/ids.ts';
import type { KeyedQueue } from '../../platform/keyed-queue.ts';
import type { Claim } from '../../queue/queue.ts';
import { type KeyAuthentication, keyOwnerOf } from '../authentication/authenticate.ts';
import { BulkResult } from '../event/schema.ts';
import { acceptEvents } from '../intake/accept.ts';
import { readIdempotencyKey } from '../intake/idempotency.ts';
import { refuseBody } from '../intake/large-bodies.ts';
import { MAX_BULK_BYTES } from '../intake/limits.ts';
import { EVENT_KIND, type LimitedDependencies } from '../quotas/accept-limited.ts';
import { type BulkBody, type ReadBulk, readBulk, refuseFrom } from './bulk.ts';
import { type KeptAnswer, packAnswer, unpackAnswer } from './kept-answer.ts';

export interface BulkDependencies extends LimitedDependencies {
  clock: Clock;
  authentication: KeyAuthentication;
  /** Slots for the work on large bodies. */
  bodies: KeyedQueue;
}

const BulkResults = Type.Array(BulkResult);

/** In a scope of its own: only here a body may be NDJSON, and ten times as large. */
export function registerBulkRoute(app: HttpApp, dependencies: BulkDependencies): void {
  const { clock, authentication, bodies, quotas, scrubSettingsOf } = dependencies;
  app.removeAllContentTypeParsers();
  for (const [type, format] of [
    [/^application\/x-ndjson(?:\s*;|$)/i, 'lines'],
    [/^application\/json(?:\s*;|$)/i, 'array'],
  ] as const) {
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (_request, bytes, done) =>
      done(null, { format, bytes } satisfies BulkBody),
    );
  }

  app.post(
    '/ingest/bulk',
    {
      bodyLimit: MAX_BULK_BYTES,
      schema: {
        tags: ['Ingestion'],
        summary: 'Send many custom events',
        description:
          'A custom event a line (`application/x-ndjson`) or a JSON array of them; at most 10,000 and 10 MiB. One result a line, in order: a bad line does not spoil the others. Lines beyond a quota have the problem `over_quota`; if no line fits, the answer is 429. After the first 100 problems, only `status` and `code` of each are sent.',
        consumes: ['application/x-ndjson', 'application/json'],
        response: { 202: BulkResults },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      // An empty body has no lines. The parsers above make no other value.
      const { format, bytes } = (request.body ?? { format: 'lines', bytes: Buffer.alloc(0) }) as BulkBody;
      const owner = keyOwnerOf(request);
      const { projectId } = owner;
      const signal = goneSignal(reply.raw);
      const task = { key: projectId, bytes: bytes.length, signal, refuse: refuseBody };
      const { results, events, claim, taken } = await bodies.run(task, async () => {
        const unpacked = await decompress(bytes, request.headers['content-encoding'], MAX_BULK_BYTES);
        const receivedAtMs = clock.now();
        const read = await readBulk(
          { format, bytes: unpacked },
          { projectId, scrubSettings: scrubSettingsOf(projectId), receivedAtMs, requestId: request.id },
        );
        const taken = await quotas.take(owner, read.events.length, EVENT_KIND);
        taken.assertSome();
        const kept = taken.refusal ? refuseFrom(read, taken.events, taken.refusal, request.id) : read;
        const claim = await claimOf(key, kept).catch((error: unknown) => {
          taken.giveBack(taken.events);
          throw error;
        });
        return { ...kept, claim, taken };
      });
      if (events.length === 0) {
        await authentication.requireValidKey(request);
        return reply.code(202).send(results);
      }
      const sender = { owner, connection: request.raw.socket, taken };
      const repeated = await acceptEvents(dependencies, sender, events, claim);
      if (!repeated) return reply.code(202).send(results);
      // A claim of kilobytes may have an answer of megabytes: the same slots limit how many are made at a time.
      const first = await bodies.run(task, () => firstAnswer(repeated));
      return reply.code(202).send(first);
    },
  );
}

/** Returns the claim of a bulk body; one without a good line claims nothing. */
async function claimOf(key: string | null, { firstEventId, results }: ReadBulk): Promise<Claim | null> {
  if (key === null || firstEventId === null) return null;
  return { key, jobId: firstEventId, answer: await packAnswer(results) };
}

/** The answer to the first request with the key; if that was a single event, its one job. */
async function firstAnswer({ answer, jobId }: Claim): Promise<Static<typeof BulkResult>[]> {
  // Only the route above sets it.
  if (answer !== null) return unpackAnswer(answer as KeptAnswer);
  return [{ jobId: toId('job', jobId), status: 'queued' }];
}

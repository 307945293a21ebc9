import { type Static, Type } from 'typebox';
import type { Clock } from '../platform/clock.ts';
import type { HttpApp } from '../platform/http/app.ts';
import { goneSignal } from '../platform/http/gone-signal.ts';
import { decompress, REQUEST_ENCODINGS, unsupportedEncoding } from '../platform/http/request-encodings.ts';
import { toId } from '../platform/ids.ts';
import type { Claim } from '../queue/queue.ts';
import { type AcceptDependencies, acceptEvents } from './accept.ts';
import { type KeyAuthentication, keyOwnerOf } from './authenticate.ts';
import { type BulkBody, MAX_BULK_BYTES, readBulk } from './bulk.ts';
import { BulkTurns } from './bulk-turns.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { BulkResult } from './schema.ts';

export interface BulkDependencies extends AcceptDependencies {
  clock: Clock;
  authentication: KeyAuthentication;
}

/** In a scope of its own: only here a body may be NDJSON, and ten times as large. */
export function registerBulkRoute(app: HttpApp, dependencies: BulkDependencies): void {
  const { clock, authentication } = dependencies;
  const turns = new BulkTurns();
  app.removeAllContentTypeParsers();
  for (const [type, format] of [
    [/^application\/x-ndjson(?:\s*;|$)/i, 'lines'],
    [/^application\/json(?:\s*;|$)/i, 'array'],
  ] as const) {
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (_request, bytes, done) =>
      done(null, { format, bytes } satisfies BulkBody),
    );
  }
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding'];
    const taken = encoding === undefined || REQUEST_ENCODINGS.includes(encoding);
    done(taken ? null : unsupportedEncoding(), payload);
  });

  app.post(
    '/ingest/bulk',
    {
      bodyLimit: MAX_BULK_BYTES,
      // Unpacked by turns, below.
      decompress: false,
      schema: {
        tags: ['Ingestion'],
        summary: 'Send many custom events',
        description:
          'A custom event a line (`application/x-ndjson`) or a JSON array of them; at most 10,000 and 10 MiB. One result a line, in order: a bad line does not spoil the others.',
        consumes: ['application/x-ndjson', 'application/json'],
        response: { 202: Type.Array(BulkResult) },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request);
      // Nothing sent is a body without lines. The parsers above make nothing else.
      const { format, bytes } = (request.body ?? { format: 'lines', bytes: Buffer.alloc(0) }) as BulkBody;
      const owner = keyOwnerOf(request);
      const { results, events, firstEventId } = await turns.take(
        owner.projectId,
        bytes.length,
        goneSignal(reply.raw),
        async () => {
          const unpacked = await decompress(bytes, request.headers['content-encoding'], MAX_BULK_BYTES);
          return readBulk({ format, bytes: unpacked }, owner.projectId, clock.now(), request.id);
        },
      );
      if (firstEventId === null) {
        await authentication.requireValidKey(request);
        return reply.code(202).send(results);
      }
      const claim = key === null ? null : { key, jobId: firstEventId, answer: results };
      const repeated = await acceptEvents(
        dependencies,
        { owner, connection: request.raw.socket },
        events,
        claim,
      );
      return reply.code(202).send(repeated ? firstAnswer(repeated) : results);
    },
  );
}

/** What the first request with the key was told; where that was a single event, its one job. */
function firstAnswer({ answer, jobId }: Claim): Static<typeof BulkResult>[] {
  const only = { jobId: toId('job', jobId), status: 'queued' as const };
  return (answer as Static<typeof BulkResult>[] | null) ?? [only];
}

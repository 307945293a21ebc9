import type { FastifyReply, FastifyRequest } from 'fastify';
import { toApiError } from '../../http/error-handling.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { decompress } from '../../http/request-encodings.ts';
import { setAnswerOwner } from '../../http/unsent-bytes.ts';
import { reasonOf } from '../intake/refusal-reasons.ts';
import { limitOf, OPEN_HEADERS, RATE_LIMITS, toRefusal, unknownDsn } from './answers.ts';
import { checkBrowserKey } from './browser-keys.ts';
import { type Dsn, findDsnOwner, requireDsnOwner } from './dsn.ts';
import { encodeContent, limitContent } from './encode-content.ts';
import { createKeep, type EnvelopeDependencies } from './keep-content.ts';
import type { EnvelopeContent } from './read-items.ts';
import { type Patience, ReadingQueue } from './reading-queue.ts';

export const MAX_ENVELOPE_BYTES = 20 * 1024 * 1024;

/** Time for which a request waits for places, before its body is read and afterwards. */
const PATIENCE_MS = 5_000;

/** Reads the body of a request, once it is decompressed. */
export type ReadBody = (bytes: Buffer, receivedAtMs: number) => EnvelopeContent;

export type DsnRequest = FastifyRequest<{ Params: { number: string } }>;

declare module 'fastify' {
  interface FastifyRequest {
    /** DSN of a request that has named one. */
    dsn: Dsn | null;
    /** Patience of a request that waits for a place, once it has headers. */
    patience: Patience | null;
  }
}

interface EnvelopeReceiver {
  /** Checks the DSN of a request, and whether a key for browsers may send it. @throws ApiError */
  admit: (request: DsnRequest, dsn: Dsn, isForBrowsers: boolean) => Promise<void>;
  /** Makes durable what the body of an admitted request holds. @throws ApiError */
  receive: (request: DsnRequest, reply: FastifyReply, readBody: ReadBody) => Promise<{ id?: string }>;
}

/** Prepares a scope for bodies of any type, and for refusals that its clients read and the ledger counts. */
export function createReceiver(app: HttpApp, dependencies: EnvelopeDependencies): EnvelopeReceiver {
  const { authentication, clock, counts, quotas } = dependencies;
  const queue = new ReadingQueue();
  const keep = createKeep(dependencies);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.decorateRequest('keyOwner', null);
  app.decorateRequest('dsn', null);
  app.decorateRequest('patience', null);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(OPEN_HEADERS);
    done();
  });
  // The body stays in the socket while there is no place for it.
  app.addHook('preParsing', async (request: DsnRequest, _reply, payload) => {
    request.patience = { leftMs: PATIENCE_MS };
    const { params, headers, method, patience } = request;
    if (method !== 'OPTIONS') await queue.waitForPlace(params.number, headers['content-length'], patience);
    return payload;
  });
  /** Refusals of requests whose items are counted. */
  const counted = new WeakSet<object>();
  app.setErrorHandler(async (error, request) => {
    const refusal = toApiError(error);
    if (request.dsn) {
      // As everywhere, the key comes before any other reason for a refusal.
      const { projectId } = await requireDsnOwner(authentication, request.dsn);
      if (!counted.has(refusal))
        counts.note({ projectId, kind: 'envelope', reason: reasonOf(refusal), quantity: 1 });
    }
    throw toRefusal(refusal);
  });

  const admit = async (request: DsnRequest, dsn: Dsn, isForBrowsers: boolean) => {
    request.dsn = dsn;
    const owner = await findDsnOwner(authentication, dsn);
    request.keyOwner = owner;
    checkBrowserKey(request, owner, quotas, isForBrowsers);
    setAnswerOwner(request, owner.projectId);
  };
  const receive = async (request: DsnRequest, reply: FastifyReply, readBody: ReadBody) => {
    const body = bodyOf(request);
    const patience = request.patience ?? { leftMs: PATIENCE_MS };
    const task = { key: request.params.number, bytes: body.length, patience };
    const receivedAtMs = clock.now();
    const { encoded, owner } = await queue.run(task, async () => {
      const encoding = request.headers['content-encoding'];
      const read = readBody(await decompress(body, encoding, MAX_ENVELOPE_BYTES), receivedAtMs);
      const owner = await findDsnOwner(authentication, dsnOf(request));
      const project = { ...owner, scrubSettings: dependencies.scrubSettingsOf(owner.projectId) };
      return { encoded: await encodeContent(read, project, receivedAtMs), owner };
    });
    // A request of a page without an event counts as one: anyone can send thousands.
    const wanted = Math.max(encoded.texts.length, owner.browser ? 1 : 0);
    // Without a place: a database that is slow to answer must not keep others from being read.
    const taken = await quotas.take(owner, wanted, null);
    const content = limitContent(encoded, taken);
    if (taken.refusal) reply.header(RATE_LIMITS, limitOf(taken.refusal));
    const connection = request.raw.socket;
    const sender = { dsn: dsnOf(request), connection, receivedAtMs, patienceMs: patience.leftMs, taken };
    const { id, refusal } = await keep(content, sender);
    if (refusal) {
      counted.add(refusal);
      throw refusal;
    }
    return id === null ? {} : { id };
  };
  return { admit, receive };
}

export function bodyOf({ body }: FastifyRequest): Buffer {
  // The parser of the scope makes no other value.
  return (body ?? Buffer.alloc(0)) as Buffer;
}

/** Returns the DSN of a request, which each endpoint has read before. */
function dsnOf({ dsn }: DsnRequest): Dsn {
  if (!dsn) throw toRefusal(unknownDsn());
  return dsn;
}

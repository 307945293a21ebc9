import type { FastifyReply, FastifyRequest } from 'fastify';
import { unavailable } from '../platform/unavailable.ts';
import type { HttpApp } from './http-app.ts';

declare module 'fastify' {
  interface FastifyInstance {
    unsentBytes: UnsentBytes;
  }
  interface FastifyRequest {
    /** Owner of the answer, by whom unsent bytes are counted; null: they are not. */
    answerOwner: string | null;
  }
}

/** Maximum bytes of answers and frames that wait for their clients to read them, in this process. */
export const MAX_UNSENT_BYTES_PER_OWNER = 64 * 1024 * 1024;
export const MAX_UNSENT_BYTES = 256 * 1024 * 1024;
/** Maximum size of an answer that is sent even if the process holds its maximum. */
const SMALL_ANSWER_BYTES = 64 * 1024;

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Counts the bytes of answers and frames from their completion until they are sent. */
export class UnsentBytes {
  readonly #byOwner = new Map<string, number>();
  #total = 0;

  /**
   * Refuses a request or its answer while too many bytes wait.
   * @throws ApiError `unavailable`
   */
  assertRoom(owner: string, bytes = 0): void {
    const waiting = this.#byOwner.get(owner) ?? 0;
    if (waiting > 0 && waiting + bytes > MAX_UNSENT_BYTES_PER_OWNER)
      throw unavailable('Too many bytes wait for your clients to read them.', {
        retryAfterSeconds: 5,
      });
    if (bytes > SMALL_ANSWER_BYTES && this.#total + bytes > MAX_UNSENT_BYTES)
      throw unavailable('Too many bytes wait for all clients to read them.', { retryAfterSeconds: 5 });
  }

  /** True while an owner or the process holds its maximum. */
  isFull(owner: string): boolean {
    return (this.#byOwner.get(owner) ?? 0) >= MAX_UNSENT_BYTES_PER_OWNER || this.#total >= MAX_UNSENT_BYTES;
  }

  /** @returns the function that ends the count, once */
  add(owner: string, bytes: number): () => void {
    this.#change(owner, bytes);
    return () => this.#change(owner, -bytes);
  }

  #change(owner: string, bytes: number): void {
    this.#total += bytes;
    const waiting = (this.#byOwner.get(owner) ?? 0) + bytes;
    if (waiting === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, waiting);
  }
}

/**
 * Has the answer of a request counted by its owner. @throws ApiError `unavailable` while too many bytes wait for the
 * owner's clients
 */
export function setAnswerOwner(request: FastifyRequest, owner: string): void {
  request.server.unsentBytes.assertRoom(owner);
  request.answerOwner = owner;
}

/**
 * Limits the answers that are in memory until their clients have read them. Streamed ones wait at their source.
 * Called after the compression: the compressed bytes are counted.
 */
export function boundUnsentBytes(app: HttpApp): void {
  const unsent = new UnsentBytes();
  app.decorate('unsentBytes', unsent);
  app.decorateRequest('answerOwner', null);
  app.addHook('onRoute', (route) => {
    const before = route.onSend === undefined ? [] : [route.onSend].flat();
    route.onSend = [
      ...before,
      (request, reply, payload, done) => {
        const { answerOwner: owner, method } = request;
        const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
        // A refusal is small, and a completed change must be reported.
        if (owner === null || !isWhole || reply.statusCode >= 400) return done(null, payload);
        // No event follows for a client that has left.
        if (request.raw.socket.destroyed) return done(null, payload);
        const bytes = Buffer.byteLength(payload);
        try {
          if (SAFE_METHODS.has(method)) unsent.assertRoom(owner, bytes);
        } catch (error) {
          return done(error instanceof Error ? error : new Error('The answer was refused.'));
        }
        endWithAnswer(request, reply, unsent.add(owner, bytes));
        return done(null, payload);
      },
    ];
  });
}

/** Calls a function once, when the answer has been sent or its client has left. */
function endWithAnswer(
  { raw: { socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
  end: () => void,
): void {
  const endOnce = () => {
    response.off('close', endOnce);
    socket.off('close', endOnce);
    end();
  };
  response.once('close', endOnce);
  if (response.socket) return;
  // It waits behind others of a pipeline, of any number: Node closes it with the socket only once it is the first.
  socket.setMaxListeners(0).once('close', endOnce);
}

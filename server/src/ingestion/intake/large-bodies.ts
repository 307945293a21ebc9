import type { FastifyReply, FastifyRequest } from 'fastify';
import { decompress } from '../../http/request-encodings.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import { KeyedQueue, type Refusal } from '../../platform/keyed-queue.ts';
import { keyOwnerOf } from '../authentication/authenticate.ts';
import { MAX_BULK_BYTES } from './limits.ts';
import { refusePlace } from './refuse-place.ts';

/**
 * A body of ten kilobytes may unpack to 10 MiB and take a second of work: a process works on two of them at a time, so
 * that one is decompressed while another one is read. The others wait as they were sent.
 */
const LARGE_BODIES = {
  maxRunning: 2,
  maxWaiting: 8_192,
  maxWaitingBytes: 64 * 1024 * 1024,
  maxShare: 1 / 2,
};

/** Creates the slots for all requests with many events. */
export function createBodyQueue(): KeyedQueue {
  return new KeyedQueue(LARGE_BODIES);
}

export function refuseBody(refusal: Refusal): Error {
  return refusePlace(refusal, 'Too many large bodies wait to be read.');
}

/**
 * Decompresses and reads a body in a slot, for which a request waits no longer than its client does.
 * @param request its parser passes bytes on as they came
 */
export function readLargeBody<Content>(
  bodies: KeyedQueue,
  request: FastifyRequest,
  reply: FastifyReply,
  read: (bytes: Buffer) => Content | Promise<Content>,
): Promise<Content> {
  // No parser is called for an empty body.
  const bytes = (request.body ?? Buffer.alloc(0)) as Buffer;
  const { projectId } = keyOwnerOf(request);
  const task = { key: projectId, bytes: bytes.length, signal: goneSignal(reply.raw), refuse: refuseBody };
  return bodies.run(task, async () =>
    read(await decompress(bytes, request.headers['content-encoding'], MAX_BULK_BYTES)),
  );
}

import { KeyedQueue, type Refusal } from '../../platform/keyed-queue.ts';
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

import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { KeyedQueue } from './keyed-queue.ts';

/**
 * One at a time in the process: a look-up blocks a thread of libuv's pool until the system gives up, and cannot be
 * ended. The pool gives look-ups two threads, so connections to the database keep one.
 */
const queue = new KeyedQueue({ maxRunning: 1, maxWaiting: 1_000 });

/**
 * Looks a name up as all programs of the machine do, with its hosts file. For names that the operator chooses.
 * @throws the error of the look-up, the signal's reason, or an error if too many names wait
 */
export function lookUpBySystem(host: string, signal: AbortSignal): Promise<LookupAddress[]> {
  const refuse = () => new Error('Too many names wait to be looked up.');
  return queue.run({ key: host, signal, refuse }, () => lookup(host, { all: true, verbatim: true }));
}

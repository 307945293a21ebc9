import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { KeyedQueue } from './keyed-queue.ts';

/**
 * Looks a name up as all programs of the machine do, with its hosts file. For names that the operator chooses.
 * @throws the error of the look-up, the signal's reason, or an error if too many names wait
 */
export type SystemLookup = (host: string, signal: AbortSignal) => Promise<LookupAddress[]>;

/**
 * One at a time: a look-up blocks a thread of libuv's pool until the system gives up, and cannot be ended. The pool
 * gives look-ups two threads, so connections to the database keep one. The driver looks up the database's name, with
 * each connection: it may take both threads, since without a database there is nothing to send.
 */
export function createSystemLookup(look: (host: string) => Promise<LookupAddress[]>): SystemLookup {
  const queue = new KeyedQueue({ maxRunning: 1, maxWaiting: 1_000 });
  const refuse = () => new Error('Too many names wait to be looked up.');
  return (host, signal) => queue.run({ key: host, signal, refuse }, () => look(host));
}

/** Look-ups of this process: of mail servers, and of names in OUTBOUND_ALLOW. */
export const lookUpBySystem = createSystemLookup((host) => lookup(host, { all: true, verbatim: true }));

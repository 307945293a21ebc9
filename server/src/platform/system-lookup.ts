import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { FairTurns } from './fair-turns.ts';

/**
 * One at a time in the process: a look-up holds a thread of libuv's pool until the system gives up, and cannot be ended.
 * The pool gives look-ups two threads, so connections to the database keep one.
 */
const turns = new FairTurns({
  running: 1,
  runningOfOne: 1,
  waiting: 1_000,
  waitingOfOne: 1_000,
  maxWaitMs: null,
});

/**
 * Looks a name up as all programs of the machine do, with its hosts file. For names that the operator chooses.
 * @throws the error of the look-up, the signal's reason, NoTurnError
 */
export function lookUpBySystem(host: string, signal: AbortSignal): Promise<LookupAddress[]> {
  return turns.take(host, signal, () => lookup(host, { all: true, verbatim: true }));
}

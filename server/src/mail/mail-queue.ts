import { KeyedQueue } from '../platform/keyed-queue.ts';
import type { Log } from '../platform/log.ts';

const LIMITS = { maxRunning: 3, maxWaiting: 200 };
/** All mails wait in the order of arrival. */
const KEY = 'mail';

/**
 * Sends mail after the answers to the requests for it, in their order, a few at a time. Bounded: what is beyond, and what a
 * stop of the process cuts off, is left out, so it is for what can be asked for again.
 */
export class MailQueue {
  readonly #log: Log;
  readonly #queue = new KeyedQueue(LIMITS);

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns false where too many wait */
  add(task: () => Promise<unknown>): boolean {
    let isTaken = true;
    const refuse = () => {
      isTaken = false;
      this.#log.warn('too many mails wait: one is left out');
    };
    this.#queue.enter({ key: KEY, bytes: 0, begin: () => void this.#send(task), refuse });
    return isTaken;
  }

  async #send(task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.#log.warn({ err: error }, 'a mail was not sent');
    }
    this.#queue.leave(KEY);
  }
}

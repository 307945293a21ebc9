import { KeyedQueue } from '../platform/keyed-queue.ts';
import type { Log } from '../platform/log.ts';

const LIMITS = { maxRunning: 3, maxWaiting: 200 };
/** Key of all mails, which wait in the order of arrival. */
const KEY = 'mail';

/**
 * Sends mail after the answers to the requests for it, in their order, a few at a time. Bounded: mails beyond the
 * limit, and those that a stop of the process cuts off, are dropped, so it is for mails that can be requested again.
 */
export class MailQueue {
  readonly #log: Log;
  readonly #queue = new KeyedQueue(LIMITS);

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns false if too many wait */
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

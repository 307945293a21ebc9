import type { Log } from '../platform/log.ts';

const MAX_WAITING = 200;
const MAX_RUNNING = 3;

/**
 * Sends mail after the answers to the requests for it, in their order, a few at a time. Bounded: what is beyond, and what a
 * stop of the process cuts off, is left out, so it is for what can be asked for again.
 */
export class MailQueue {
  readonly #log: Log;
  readonly #waiting: (() => Promise<unknown>)[] = [];
  #running = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns false where too many wait */
  add(task: () => Promise<unknown>): boolean {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#log.warn('too many mails wait: one is left out');
      return false;
    }
    this.#waiting.push(task);
    void this.#runNext();
    return true;
  }

  async #runNext(): Promise<void> {
    if (this.#running >= MAX_RUNNING) return;
    const task = this.#waiting.shift();
    if (!task) return;
    this.#running++;
    try {
      await task();
    } catch (error) {
      this.#log.warn({ err: error }, 'a mail was not sent');
    }
    this.#running--;
    void this.#runNext();
  }
}

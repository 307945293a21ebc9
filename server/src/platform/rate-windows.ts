import type { Clock } from './clock.ts';

/**
 * At most `count` takes of each key within any period. At most `maxKeys` keys, the most recently used: a key that was
 * forgotten starts over.
 */
export class RateWindows {
  readonly #clock: Clock;
  readonly #count: number;
  readonly #periodMs: number;
  readonly #maxKeys: number;
  /** Times of the latest takes, at most `count` a key, by key in the order of use. */
  readonly #takes = new Map<string, number[]>();

  constructor(clock: Clock, options: { count: number; periodMs: number; maxKeys: number }) {
    this.#clock = clock;
    this.#count = options.count;
    this.#periodMs = options.periodMs;
    this.#maxKeys = options.maxKeys;
  }

  /** @returns 0, or in how many seconds the next take is possible */
  take(key: string): number {
    const now = this.#clock.now();
    // Takes of a clock that was set back since count as of now.
    const takes = (this.#takes.get(key) ?? [])
      .map((at) => Math.min(at, now))
      .filter((at) => at > now - this.#periodMs);
    const [first = now] = takes;
    const isTaken = takes.length < this.#count;
    if (isTaken) takes.push(now);
    this.#takes.delete(key);
    this.#takes.set(key, takes);
    const [oldest] = this.#takes.keys();
    if (this.#takes.size > this.#maxKeys && oldest !== undefined) this.#takes.delete(oldest);
    return isTaken ? 0 : Math.ceil((first + this.#periodMs - now) / 1000);
  }
}

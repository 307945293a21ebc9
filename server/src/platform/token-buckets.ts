import type { Clock } from './clock.ts';

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * A bucket of tokens for each key, refilled steadily. At most `maxKeys` keys, the most recently used: a key that was
 * forgotten begins with a full bucket.
 */
export class TokenBuckets {
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #refillPerSecond: number;
  readonly #maxKeys: number;
  /** Buckets in the order of use. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, options: { capacity: number; refillPerSecond: number; maxKeys: number }) {
    this.#clock = clock;
    this.#capacity = options.capacity;
    this.#refillPerSecond = options.refillPerSecond;
    this.#maxKeys = options.maxKeys;
  }

  /**
   * Takes a token, or a part of one.
   * @returns 0, or in how many seconds there is enough
   */
  take(key: string, cost = 1): number {
    const now = this.#clock.now();
    const { tokens, filledAtMs } = this.#buckets.get(key) ?? { tokens: this.#capacity, filledAtMs: now };
    // A clock that is set back refills nothing.
    const refilled = (Math.max(0, now - filledAtMs) / 1000) * this.#refillPerSecond;
    const available = Math.min(this.#capacity, tokens + refilled);
    const taken = available >= cost;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: taken ? available - cost : available, filledAtMs: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > this.#maxKeys && oldest !== undefined) this.#buckets.delete(oldest);
    return taken ? 0 : Math.ceil((cost - available) / this.#refillPerSecond);
  }
}

import { setTimeout as delay } from 'node:timers/promises';

/** Rests for one part of work: it takes at most a quarter of the time. */
const RESTS_PER_WORK = 3;
/** Bound on a rest where a piece of work has waited for something. */
const MAX_REST_MS = 50;

/** Spreads work over time: it rests after each of its pieces, and other work goes on meanwhile. */
export class Pacer {
  readonly #now: () => number;
  readonly #delay: (ms: number) => Promise<unknown>;
  #resumedAt: number;

  constructor(now = () => performance.now(), delayBy: (ms: number) => Promise<unknown> = delay) {
    this.#now = now;
    this.#delay = delayBy;
    this.#resumedAt = now();
  }

  /**
   * Rests in proportion to the time since the last rest, at first since the pacer was made.
   * @param leastMs a longer rest, for work whose cost comes later
   */
  async rest(leastMs = 0): Promise<void> {
    const workedMs = this.#now() - this.#resumedAt;
    await this.#delay(Math.max(leastMs, Math.min(MAX_REST_MS, workedMs * RESTS_PER_WORK)));
    this.#resumedAt = this.#now();
  }
}

import { setTimeout as delay } from 'node:timers/promises';

/** Share of time in which chunks are worked on: the log and the disk, which they would fill, are for those who wait. */
const SHARE = 1 / 5;
/** Maximum pause, however long a chunk had to wait for others. */
const MAX_REST_MS = 2_000;

/** Work in chunks, each a short transaction, with pauses. */
export class PacedChunks {
  readonly #begin: () => AsyncGenerator<void, void>;
  /** Chunks of work in progress, which may take many rounds. */
  #chunks: AsyncGenerator<void, void> | null = null;

  /** @param begin the work, which pauses after each chunk */
  constructor(begin: () => AsyncGenerator<void, void>) {
    this.#begin = begin;
  }

  /**
   * Works on a chunk, and on further ones for about `forMs`.
   * @param stopping ends it after the chunk in progress
   * @returns true if there is more to do
   */
  async run(forMs: number, stopping?: AbortSignal): Promise<boolean> {
    const chunks = this.#chunks ?? this.#begin();
    // Work that fails is over: the next call starts over.
    this.#chunks = null;
    const beganAt = performance.now();
    do {
      const startedAt = performance.now();
      const { done } = await chunks.next();
      if (done) return false;
      const tookMs = performance.now() - startedAt;
      await rest(Math.min(tookMs / SHARE - tookMs, MAX_REST_MS), stopping);
    } while (performance.now() - beganAt < forMs && !stopping?.aborted);
    this.#chunks = chunks;
    return true;
  }
}

async function rest(ms: number, stopping?: AbortSignal): Promise<void> {
  // A rest that is cut short rejects.
  await delay(ms, undefined, { signal: stopping }).catch(() => {});
}

/** What one statement takes at most: it holds its locks and memory for as long as it runs. */
const MAX_BATCHES = 256;
const MAX_BYTES = 4 * 1024 * 1024;
/** A database that has become fast again is tried with this much more, from statement to statement. */
const GROWTH = 1 / 32;

/**
 * How much one statement takes. Half as much after one that ran out of time, or the next would run out as well; a little
 * more after each that did not, since one that runs out costs its whole time.
 */
export class BatchLimits {
  #share = 1;

  get current(): { maxBatches: number; maxBytes: number } {
    return {
      maxBatches: Math.max(1, Math.floor(MAX_BATCHES * this.#share)),
      maxBytes: Math.max(1, Math.floor(MAX_BYTES * this.#share)),
    };
  }

  shrink(): void {
    this.#share = Math.max(1 / MAX_BATCHES, this.#share / 2);
  }

  grow(): void {
    this.#share = Math.min(1, this.#share + GROWTH);
  }
}

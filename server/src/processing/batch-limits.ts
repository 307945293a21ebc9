/** Maximum batches of one statement, which holds its locks and memory as long as it runs. */
const MAX_BATCHES = 256;
const MAX_BYTES = 4 * 1024 * 1024;
/** Factor by which the limits grow per statement once the database is fast again. */
const GROWTH = 1 / 32;

/**
 * Size of one statement: half as much after a timeout, or the next would time out as well; a little more after each
 * success, since a timeout costs the whole time limit.
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

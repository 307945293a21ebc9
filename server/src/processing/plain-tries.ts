/** The longest wait for another try. */
const MAX_SKIPPED = 16;

/**
 * When to try whether a batch can be stored together with its groups in one statement. A failed try costs the reading of
 * the batch, and one reason often concerns the next batches as well (new kinds, a merged group): after each failure twice
 * as many batches go by without a try.
 */
export class PlainTries {
  #skip = 0;
  #skipped = 0;

  isDue(): boolean {
    if (this.#skipped >= this.#skip) return true;
    this.#skipped++;
    return false;
  }

  end(isPlain: boolean): void {
    this.#skip = isPlain ? 0 : Math.min(MAX_SKIPPED, Math.max(1, this.#skip * 2));
    this.#skipped = 0;
  }
}

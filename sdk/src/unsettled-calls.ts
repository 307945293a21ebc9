/**
 * Counts the calls that are not settled, so that a flush waits only for those before it. A flush begins an
 * epoch; each call belongs to the epoch in which it was made.
 */
export class UnsettledCalls {
  #epoch = 0;
  /** Number of calls by epoch, without epochs that have none. */
  readonly #counts = new Map<number, number>();
  #waiting: { untilEpoch: number; resolve: () => void }[] = [];

  /** Counts a new call. @returns its epoch */
  add(): number {
    this.#counts.set(this.#epoch, (this.#counts.get(this.#epoch) ?? 0) + 1);
    return this.#epoch;
  }

  settle(epoch: number): void {
    const left = (this.#counts.get(epoch) ?? 0) - 1;
    if (left > 0) {
      this.#counts.set(epoch, left);
      return;
    }
    this.#counts.delete(epoch);
    // Epochs and flushes are both in ascending order.
    const [oldest = Number.POSITIVE_INFINITY] = this.#counts.keys();
    let done = 0;
    for (let next = this.#waiting[0]; next && next.untilEpoch < oldest; next = this.#waiting[++done])
      next.resolve();
    if (done > 0) this.#waiting = this.#waiting.slice(done);
  }

  /** Resolves once all previous calls are settled. */
  whenSettled(): Promise<void> {
    if (this.#counts.size === 0) return Promise.resolve();
    const untilEpoch = this.#epoch++;
    return new Promise((resolve) => this.#waiting.push({ untilEpoch, resolve }));
  }
}

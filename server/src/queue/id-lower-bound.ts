/** A row that becomes visible this much later than one with a greater id is still found at once. */
const WINDOW_MS = 5_000;
/** Every row is found within this time, however late it becomes visible. */
const FULL_SCAN_INTERVAL_MS = 30_000;
/** Scans from the beginning take at most a twentieth of the time. */
const FULL_SCAN_REST = 20;

/**
 * Lower bound of scans for the oldest rows of a table that is read and emptied in the order of ids. Deleted rows stay
 * in table and index while any transaction is older than their deletion (a backup), and each scan from the beginning
 * would visit all of them. Ids become visible out of order, so a scan begins where the oldest row was 5 to 10 seconds
 * ago, and one in 30 seconds at the very beginning.
 */
export class IdLowerBound {
  readonly #now: () => number;
  #fromId = 0;
  /** Oldest row when the window began, and that time. */
  #windowId = 0;
  #windowMs: number;
  #fullScanMs = Number.NEGATIVE_INFINITY;
  #startedMs = 0;
  #isFull = true;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#windowMs = now();
  }

  /** Begins a scan. @returns the smallest id that it must visit */
  begin(): number {
    this.#startedMs = this.#now();
    this.#isFull = this.#startedMs >= this.#fullScanMs;
    return this.#isFull ? 0 : this.#fromId;
  }

  /** Ends the scan. @param oldestId smallest id that it found; null: none */
  end(oldestId: number | null): void {
    const nowMs = this.#now();
    if (this.#isFull) {
      const restMs = FULL_SCAN_REST * (nowMs - this.#startedMs);
      this.#fullScanMs = nowMs + Math.max(FULL_SCAN_INTERVAL_MS, restMs);
    }
    if (oldestId === null) return;
    if (oldestId < this.#windowId) {
      this.#fromId = Math.min(this.#fromId, oldestId);
      this.#windowId = oldestId;
    } else if (nowMs - this.#windowMs >= WINDOW_MS) {
      this.#fromId = this.#windowId;
      this.#windowId = oldestId;
      this.#windowMs = nowMs;
    }
  }

  /** Lets the next scan start at the beginning: the rows found may still be there. */
  reset(): void {
    this.#fullScanMs = Number.NEGATIVE_INFINITY;
  }
}

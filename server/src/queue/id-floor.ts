/** A row may become visible so much later than one of a later id, and is found at once all the same. */
const WINDOW_MS = 5_000;
/** Every row is found after this, however late it became visible. */
const FULL_LOOK_INTERVAL_MS = 30_000;
/** Looks from the beginning take at most a twentieth of the time. */
const FULL_LOOK_REST = 20;

/**
 * Where a look for the oldest rows of a table begins that is read and emptied in the order of ids. Rows that were
 * taken stay in table and index while any transaction is older than their end (a backup), and each look from the beginning
 * would go through all of them. Ids become visible out of order, so a look begins where the oldest row was 5 to 10
 * seconds ago, and one in 30 seconds at the very beginning.
 */
export class IdFloor {
  readonly #now: () => number;
  #fromId = 0;
  /** The oldest row when the window began, and that moment. */
  #windowId = 0;
  #windowMs: number;
  #fullLookMs = Number.NEGATIVE_INFINITY;
  #startedMs = 0;
  #isFull = true;

  /** @param now milliseconds of a clock that goes on evenly */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#windowMs = now();
  }

  /** A look begins. @returns the least id that it has to look at */
  begin(): number {
    this.#startedMs = this.#now();
    this.#isFull = this.#startedMs >= this.#fullLookMs;
    return this.#isFull ? 0 : this.#fromId;
  }

  /** The look has ended. @param oldestId the least id that it found; null: there was none */
  end(oldestId: number | null): void {
    const nowMs = this.#now();
    if (this.#isFull) {
      const restMs = FULL_LOOK_REST * (nowMs - this.#startedMs);
      this.#fullLookMs = nowMs + Math.max(FULL_LOOK_INTERVAL_MS, restMs);
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

  /** The next look begins at the beginning: what was found may stand there still. */
  reset(): void {
    this.#fullLookMs = Number.NEGATIVE_INFINITY;
  }
}

import type { Processed } from './processor.ts';

/** As long as few events arrive, a statement begins this long after the one before it. */
const USUAL_MS = 50;
/** The same under load. */
const MAX_MS = 150;
/** Events a millisecond from which on that is load: a tenth of what two cores take at most. */
const LOAD = 2.5;
/** A statement of more events does not cost less an event. */
const ENOUGH_EVENTS = 4_000;

/**
 * How long batches gather in the queue before the next statement stores them. A statement costs some milliseconds whatever it
 * stores: under load few large ones leave more of the cores to intake.
 */
export class Pace {
  #beganAtMs = Number.NEGATIVE_INFINITY;
  #intervalMs = USUAL_MS;

  /** From the beginning of the last statement to that of the next. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /**
   * A statement stored events that had gathered since the beginning of the one before it. Where it left some, the next does
   * not wait for more.
   * @param beganAtMs when it began, by a clock that never goes back
   */
  record({ events, isFull }: Processed, beganAtMs: number): void {
    const rate = events / (beganAtMs - this.#beganAtMs);
    this.#beganAtMs = beganAtMs;
    this.#intervalMs =
      isFull || rate < LOAD ? USUAL_MS : Math.min(MAX_MS, Math.max(USUAL_MS, ENOUGH_EVENTS / rate));
  }
}

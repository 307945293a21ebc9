import type { ProcessingResult } from './processor.ts';

/** Interval between the beginnings of two statements while few events arrive. */
const USUAL_MS = 50;
/** Interval under load. */
const MAX_MS = 150;
/** Events a millisecond that count as load: a tenth of the maximum of two cores. */
const LOAD = 2.5;
/** Events of a statement beyond which a larger one does not cost less an event. */
const ENOUGH_EVENTS = 4_000;

/**
 * Interval for which batches gather in the queue before the next statement stores them. A statement costs some
 * milliseconds whatever it stores: under load few large ones leave more of the cores to intake.
 */
export class Pace {
  #beganAtMs = Number.NEGATIVE_INFINITY;
  #intervalMs = USUAL_MS;

  /** Interval from the beginning of the last statement to that of the next. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /**
   * Records a statement that stored the events gathered since the beginning of the previous one. If it left some, the
   * next does not wait for more.
   * @param beganAtMs when it began, by a monotonic clock
   */
  record({ events, isFull }: ProcessingResult, beganAtMs: number): void {
    const rate = events / (beganAtMs - this.#beganAtMs);
    this.#beganAtMs = beganAtMs;
    this.#intervalMs =
      isFull || rate < LOAD ? USUAL_MS : Math.min(MAX_MS, Math.max(USUAL_MS, ENOUGH_EVENTS / rate));
  }
}

import { MINUTE_MS } from '../state/durations.ts';
import { modulo } from '../state/modulo.ts';
import type { Resolution } from '../state/resolution.ts';

/**
 * Ended steps that the states of series, or their silences, lack: those without an event that can only be uneventful
 * (`uneventfulSteps`, `uneventfulMinutes`) are taken in when the state is needed, with the same result.
 */
export class PostponedSteps {
  /** Number of ended steps. */
  #ended: number;
  /** Number of them that the state has taken in, and up to which it need not as long as nothing counts, by index. */
  readonly #takenIn: number[] = [];
  readonly #uneventfulUntil: number[] = [];
  /** Index below which the series have ended the step, while it ends. */
  #endedBefore = 0;

  /** @param ended number of steps that have ended before, in which the states of some indices have taken in all */
  constructor(ended: number, indices: number[]) {
    this.#ended = ended;
    for (const index of indices) this.add(index);
  }

  /** Gives an index to a series that lacks no step. */
  add(index: number): void {
    this.#takenIn[index] = this.#ended;
    this.#uneventfulUntil[index] = 0;
  }

  /** Evaluates a series at the end of the running step, in which it may change or count. */
  evaluateNext(index: number): void {
    this.#uneventfulUntil[index] = 0;
  }

  /** True if the running step, which is known, can be taken in later. */
  isPostponed(index: number): boolean {
    return (this.#uneventfulUntil[index] as number) > this.#ended; // there is one for each series
  }

  /** True if the state has taken in all steps. */
  isUpToDate(index: number): boolean {
    return this.#takenIn[index] === this.#ended;
  }

  /** Returns the number of steps that the state of a series lacks, which takes them in now. */
  take(index: number): number {
    const upTo = this.#ended + (index < this.#endedBefore ? 1 : 0);
    const steps = upTo - (this.#takenIn[index] as number); // there is one for each series
    this.#takenIn[index] = upTo;
    return steps;
  }

  /** Records that a series has ended the running step, and need not end so many more. */
  endOf(index: number, uneventful: number): void {
    this.#takenIn[index] = this.#ended + 1;
    this.#uneventfulUntil[index] = uneventful > 0 ? this.#ended + 1 + uneventful : 0;
  }

  /** Notes, before changes of a series are reported, that it and those before it have ended the running step. */
  reportOf(index: number): void {
    this.#endedBefore = index + 1;
  }

  /** Ends the step, which all series have ended or lack. */
  endStep(): void {
    this.#ended++;
    this.#endedBefore = 0;
  }
}

/** Returns the steps after the one that began at a time in the same slot of the day. */
export function stepsLeftOfSlot({ slotMinutes, stepMinutes }: Resolution, timeMs: number): number {
  const [slotMs, stepMs] = [slotMinutes * MINUTE_MS, stepMinutes * MINUTE_MS];
  return Math.ceil((slotMs - modulo(timeMs, slotMs)) / stepMs) - 1;
}

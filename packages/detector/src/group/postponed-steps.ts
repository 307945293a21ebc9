import type { SeasonalPosition } from '../series/seasonal-position.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { modulo } from '../state/modulo.ts';
import type { Resolution } from '../state/resolution.ts';

/** Steps that a series lacks, and where the last of them, as all of them, stands in the day and in the week. */
export interface LackingSteps {
  steps: number;
  position: SeasonalPosition;
}

/**
 * Which of the steps that have ended the state of each series lacks: those without an event that can only be uneventful
 * (`uneventfulSteps`) are taken in when the series is needed. All that a series lacks lie in one slot of the day.
 */
export class PostponedSteps {
  /** Steps that have ended. */
  #ended: number;
  /** By index: how many of them the state has taken in, and up to how many it need not take in as long as nothing counts. */
  readonly #takenIn: number[] = [];
  readonly #uneventfulUntil: number[] = [];
  /** Of the step that ended last, without what begins with it. */
  #position: SeasonalPosition | null = null;
  /** While a step ends: the series below this index have ended it. */
  #endedBefore = 0;

  /** @param ended steps before the first of them here */
  constructor(ended: number) {
    this.#ended = ended;
  }

  /** A series has the index from now on that lacks none. */
  add(index: number): void {
    this.#takenIn[index] = this.#ended;
    this.#uneventfulUntil[index] = 0;
  }

  /** The series may change, or count, in the step that runs: it is evaluated at the end of it. */
  evaluateNext(index: number): void {
    this.#uneventfulUntil[index] = 0;
  }

  /** True if the end of the step that runs, which is known, can be taken in later. */
  isPostponed(index: number): boolean {
    return (this.#uneventfulUntil[index] as number) > this.#ended; // there is one for each series
  }

  /** True if the state has taken in all steps. */
  isUpToDate(index: number): boolean {
    return this.#takenIn[index] === this.#ended;
  }

  /** The steps that the state of a series lacks, which it takes in now; null: none. */
  take(index: number): LackingSteps | null {
    const upTo = this.#ended + (index < this.#endedBefore ? 1 : 0);
    const steps = upTo - (this.#takenIn[index] as number); // there is one for each series
    if (steps === 0 || !this.#position) return null;
    this.#takenIn[index] = upTo;
    return { steps, position: this.#position };
  }

  /** A series has ended the step that runs, and need not end so many more. */
  endOf(index: number, uneventful: number): void {
    this.#takenIn[index] = this.#ended + 1;
    this.#uneventfulUntil[index] = uneventful > 0 ? this.#ended + 1 + uneventful : 0;
  }

  /** Changes of a series are reported: it has ended the step that runs, as those before it, and those after it have not. */
  reportOf(index: number): void {
    this.#endedBefore = index + 1;
  }

  /** All series have ended the step that runs, or lack it. */
  endStep(position: SeasonalPosition): void {
    this.#ended++;
    this.#endedBefore = 0;
    this.#position = { ...position, slotBegins: false, hourBegins: false };
  }
}

/** Steps after the one that began at a time in the same slot of the day. */
export function stepsLeftOfSlot({ slotMinutes, stepMinutes }: Resolution, timeMs: number): number {
  const [slotMs, stepMs] = [slotMinutes * MINUTE_MS, stepMinutes * MINUTE_MS];
  return Math.ceil((slotMs - modulo(timeMs, slotMs)) / stepMs) - 1;
}

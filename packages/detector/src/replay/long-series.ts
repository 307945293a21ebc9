import { beginLongSeries, evaluateLongStep } from '../long/evaluate-long.ts';
import { type LongLayout, LongState, longLayoutOf } from '../long/long-state.ts';
import type { AlarmChange } from '../series/alarm-state.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { resolutionOf } from '../state/resolution.ts';

/** From so long a step on, a series that is alone is evaluated here. */
export const MIN_LONG_MINUTES = 30;

/** A series that is alone, at steps of half an hour and more. */
export class LongSeries {
  readonly resolution: LongLayout;
  readonly stepLengthMs: number;
  readonly #state: LongState;
  readonly #budgetPerWeek: number;
  #count = 0;
  #stepMs: number;

  constructor(startMs: number, stepMinutes: number, budgetPerWeek: number) {
    this.resolution = longLayoutOf(stepMinutes, resolutionOf(stepMinutes).windows);
    this.stepLengthMs = stepMinutes * MINUTE_MS;
    this.#state = new LongState(this.resolution);
    beginLongSeries(this.#state, this.resolution);
    this.#budgetPerWeek = budgetPerWeek;
    this.#stepMs = startMs;
  }

  /** Beginning of the step that runs. */
  get stepMs(): number {
    return this.#stepMs;
  }

  /** NaN, or what is no count: that of the step is not known. */
  count({ count }: { count: number }): boolean {
    this.#count += count;
    return true;
  }

  endStepsBefore(timeMs: number, isKnown: boolean): AlarmChange[] {
    const changes: AlarmChange[] = [];
    while (this.#stepMs + this.stepLengthMs <= timeMs) {
      const count = isKnown ? this.#count : Number.NaN;
      const step = { stepMs: this.#stepMs, count, budgetPerWeek: this.#budgetPerWeek };
      for (const change of evaluateLongStep(this.#state, this.resolution, step)) changes.push(change);
      this.#count = 0;
      this.#stepMs += this.stepLengthMs;
    }
    return changes;
  }

  skipTo(timeMs: number): void {
    this.endStepsBefore(timeMs, false);
  }
}

import type { AlarmChange } from '../series/alarm-state.ts';
import { MINUTE_MS } from '../state/durations.ts';
import type { Resolution } from '../state/resolution.ts';

/** A series that is alone in its project, as `advance` moves it through counts and time. */
export abstract class SteppedSeries {
  readonly resolution: Resolution;
  readonly stepLengthMs: number;
  #stepMs: number;
  #count = 0;

  constructor(startMs: number, stepMinutes: number, resolution: Resolution) {
    this.resolution = resolution;
    this.stepLengthMs = stepMinutes * MINUTE_MS;
    this.#stepMs = startMs;
  }

  /** Beginning of the step that runs. */
  get stepMs(): number {
    return this.#stepMs;
  }

  protected set stepMs(timeMs: number) {
    this.#stepMs = timeMs;
  }

  /** Counts events; with NaN, or anything else that is no count, the step is unknown. */
  count({ count }: { count: number }): boolean {
    this.#count += count;
    return true;
  }

  endStepsBefore(timeMs: number, isKnown: boolean): AlarmChange[] {
    const changes: AlarmChange[] = [];
    while (this.#stepMs + this.stepLengthMs <= timeMs) {
      for (const change of this.endStep(isKnown ? this.#count : Number.NaN)) changes.push(change);
      this.#count = 0;
      this.#stepMs += this.stepLengthMs;
    }
    return changes;
  }

  abstract skipTo(timeMs: number): void;

  /**
   * True if the running step would exceed its open threshold upwards with a count: as the methods of the literature are compared,
   * regardless of open alarms, and of the size of the effect.
   */
  abstract exceeds(count: number): boolean;

  /** @param count NaN, or anything else that is no count, where it is not known */
  protected abstract endStep(count: number): AlarmChange[];
}

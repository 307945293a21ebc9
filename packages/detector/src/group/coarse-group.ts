import type { AlarmChange } from '../series/alarm-state.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { COARSE_STEPS, type CoarseStep, MAX_UNKNOWN_STEPS } from '../state/resolution.ts';
import { type SavedGroup, SeriesGroup } from './series-group.ts';

/** Minutes between evaluations within a step of more than 30 minutes. One of 30 minutes is evaluated in each minute. */
const PARTIAL_MINUTES = 10;

type Report = (index: number, change: AlarmChange) => void;

interface MinuteHooks {
  /** Events of the last half hour. */
  latestOf: (index: number) => number;
  report: Report;
  /** True if nothing is learned from the minute for a series; missing: all learn. */
  isUnlearned?: ((index: number) => boolean) | undefined;
}

/** Settings of a new group, and its saved state. */
interface Beginning {
  budgetPerWeek: number;
  budgetShareOf: (index: number) => number;
  saved?: SavedGroup | undefined;
  unknownMinutes?: number | undefined;
  unlearnedMinutes?: UnlearnedMinutes | undefined;
}

/** Known minutes of the running step from which series learn nothing, by index. */
export type UnlearnedMinutes = [index: number, minutes: number][];

/**
 * The sparse series at one of their steps, which divide the day (UTC), driven minute by minute. A step is known if at least half
 * of its minutes are; the expected count of the others is filled in.
 */
export class CoarseGroup {
  readonly step: CoarseStep;
  readonly group: SeriesGroup;
  /** Minutes of the running step whose counts say nothing. */
  #unknownMinutes: number;
  /** The same of single series, by index, without these. */
  readonly #unlearnedMinutes: Map<number, number>;

  constructor(
    step: CoarseStep,
    { budgetPerWeek, budgetShareOf, saved, unknownMinutes = 0, unlearnedMinutes }: Beginning,
  ) {
    this.step = step;
    this.group = new SeriesGroup({ stepMinutes: step, budgetShareOf }, budgetPerWeek, saved);
    this.#unknownMinutes = unknownMinutes;
    this.#unlearnedMinutes = new Map(unlearnedMinutes);
  }

  get unknownMinutes(): number {
    return this.#unknownMinutes;
  }

  get unlearnedMinutes(): UnlearnedMinutes {
    return [...this.#unlearnedMinutes];
  }

  /** Returns the beginning of the step that runs at a time. */
  beginningOfStep(timeMs: number): number {
    const stepMs = this.step * MINUTE_MS;
    return Math.floor(timeMs / stepMs) * stepMs;
  }

  endMinute(timeMs: number, isKnown: boolean, { latestOf, report, isUnlearned }: MinuteHooks): void {
    const endMs = timeMs + MINUTE_MS;
    const beginMs = this.beginningOfStep(timeMs);
    if (!isKnown) this.#unknownMinutes++;
    else if (isUnlearned) this.#addUnlearned(isUnlearned);
    if (this.step === COARSE_STEPS[0]) this.group.evaluatePartialStep(beginMs, report, latestOf);
    else if (endMs % (PARTIAL_MINUTES * MINUTE_MS) === 0) this.group.evaluatePartialStep(beginMs, report);
    if (endMs >= beginMs + this.step * MINUTE_MS) this.#endStep(beginMs, report);
  }

  /** Goes from the minute that began at a time to a later one; nothing is known of those between. */
  skip(fromMs: number, toMs: number, report: Report): void {
    const stepMs = this.step * MINUTE_MS;
    let beginMs = this.beginningOfStep(fromMs);
    let unknownFromMs = fromMs;
    while (beginMs + stepMs <= toMs) {
      this.#unknownMinutes += (beginMs + stepMs - unknownFromMs) / MINUTE_MS;
      this.#endStep(beginMs, report);
      beginMs += stepMs;
      const lastMs = this.beginningOfStep(toMs) - MAX_UNKNOWN_STEPS * stepMs;
      if (beginMs < lastMs) {
        this.group.skip(beginMs, lastMs);
        beginMs = lastMs;
      }
      unknownFromMs = beginMs;
    }
    this.#unknownMinutes += Math.max(0, toMs - unknownFromMs) / MINUTE_MS;
  }

  #endStep(beginMs: number, report: Report): void {
    const unknown = this.#unknownMinutes;
    const unlearned = this.#unlearnedMinutes;
    const unknownShareOf = (index: number) => (unknown + (unlearned.get(index) ?? 0)) / this.step;
    this.group.endStep(beginMs, true, report, { unknownShareOf });
    this.#unknownMinutes = 0;
    unlearned.clear();
  }

  #addUnlearned(isUnlearned: (index: number) => boolean): void {
    for (const index of this.group.series.indices()) {
      if (isUnlearned(index)) this.#unlearnedMinutes.set(index, (this.#unlearnedMinutes.get(index) ?? 0) + 1);
    }
  }
}

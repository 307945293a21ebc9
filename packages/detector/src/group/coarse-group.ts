import {
  beginLongSeries,
  evaluateLongStep,
  evaluateRunningStep,
  numberOf,
  resetLongRise,
  withdrawLongAlarm,
} from '../long/evaluate-long.ts';
import { raiseLongLevel } from '../long/long-level.ts';
import { LongState, longLayoutOf } from '../long/long-state.ts';
import { openingCountsOf } from '../long/opening-counts.ts';
import { peaksPerWeek } from '../long/peaks.ts';
import { factorOf } from '../long/week-profile.ts';
import type { AlarmChange, Exceedance } from '../series/alarm-state.ts';
import { MAX_WARM_START_STEPS } from '../series/error-series.ts';
import { type Excess, findExcess } from '../series/excess.ts';
import type { OpeningCounts } from '../series/opening-counts.ts';
import { MAX_COUNT } from '../state/count.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { RecordTable, type SavedRecords } from '../state/record-table.ts';
import { MINUTES_PER_WEEK } from '../state/resolution.ts';
import type { Side } from '../state/side.ts';
import { addLateEvents, beginStep, filledCount, isImportStep } from './running-step.ts';
import type { NewSeries } from './tracked-series.ts';

/** Windows of half an hour to a day. Steps begin with those of the day (UTC). */
export const COARSE_LAYOUT = longLayoutOf(30, [1, 3, 6, 12, 24, 48]);
const STEP_MS = COARSE_LAYOUT.stepMinutes * MINUTE_MS;

/** A step with a larger unknown share counts as unknown. */
const MAX_UNKNOWN_SHARE = 0.5;
/** Of a longer unknown time no more steps are gone through: then nothing is left of any level. */
const MAX_SKIPPED_STEPS = (4 * MINUTES_PER_WEEK) / COARSE_LAYOUT.stepMinutes;

export type ReportCoarse = (index: number, change: AlarmChange) => void;

/** Known minutes of the step that runs from which a series learns nothing, by its index. */
type UnlearnedMinutes = [index: number, minutes: number][];

export interface SavedCoarseGroup {
  series: SavedRecords;
  steps: number;
  /** Minutes of the step that runs whose counts say nothing. */
  unknownMinutes: number;
  /** The same of single series, beside them. */
  unlearnedMinutes: UnlearnedMinutes;
}

/** False alarms a week: of a series at these steps, and of all at all steps. */
interface CoarseBudget {
  shareOf: (index: number) => number;
  ofAll: () => number;
}

interface MinuteHooks {
  /** Events of the last half hour. */
  latestOf: (index: number) => number;
  report: ReportCoarse;
  /** Whether nothing is learned from the minute for a series; missing: all learn. */
  isUnlearned?: ((index: number) => boolean) | undefined;
}

/**
 * Series in steps of half an hour, driven minute by minute, under the indices that they have in the group of the minute. A step
 * at least half of whose minutes are known is known; what the others lack of the expected count is filled in.
 */
export class CoarseGroup {
  readonly #budget: CoarseBudget;
  readonly #records: RecordTable;
  /** View that is moved to the series that is needed. */
  readonly #view: LongState;
  #steps: number;
  #unknownMinutes: number;
  readonly #unlearnedMinutes: Map<number, number>;

  constructor(budget: CoarseBudget, saved?: SavedCoarseGroup) {
    this.#budget = budget;
    this.#records = new RecordTable(COARSE_LAYOUT.floats, saved?.series);
    this.#view = new LongState(COARSE_LAYOUT, { buffer: this.#records.buffer, first: 0 });
    this.#steps = saved?.steps ?? 0;
    this.#unknownMinutes = saved?.unknownMinutes ?? 0;
    this.#unlearnedMinutes = new Map(saved?.unlearnedMinutes);
  }

  get size(): number {
    return this.#records.count;
  }

  has(index: number): boolean {
    return this.#records.has(index);
  }

  /** Error series count as silent since the project began. */
  watch(index: number, { isErrorSeries, mayBeOld }: NewSeries): void {
    this.#records.add(index);
    const state = this.#at(index);
    const isWarm = isErrorSeries && !mayBeOld;
    beginLongSeries(state, COARSE_LAYOUT, isWarm ? Math.min(MAX_WARM_START_STEPS, this.#steps) : 0);
    state.isErrorSeries = isErrorSeries;
    // Of the step that runs any other may have missed a part.
    state.isPartial = !isWarm;
  }

  unwatch(index: number): void {
    this.#records.remove(index);
    this.#unlearnedMinutes.delete(index);
  }

  count(index: number, events: number): void {
    const state = this.#at(index);
    state.count = Math.min(MAX_COUNT, state.count + events);
    state.hasNewCounts = true;
  }

  countLate(index: number, events: number): void {
    addLateEvents(this.#at(index), events);
  }

  raiseLevelTo(index: number, perMinute: number): void {
    const state = this.#at(index);
    const missing = perMinute * COARSE_LAYOUT.stepMinutes - state.level;
    if (missing > 0) raiseLongLevel(state, COARSE_LAYOUT, missing);
  }

  endMinute(timeMs: number, isKnown: boolean, hooks: MinuteHooks): void {
    if (!isKnown) this.#unknownMinutes++;
    else if (hooks.isUnlearned) this.#addUnlearned(hooks.isUnlearned);
    const stepMs = beginningOfStep(timeMs);
    this.#evaluateRunning(stepMs, hooks);
    if (timeMs + MINUTE_MS >= stepMs + STEP_MS) this.#endStep(stepMs, hooks.report);
  }

  /** Goes from the minute that began at a time to a later one; nothing is known of those between. */
  skip(fromMs: number, toMs: number, report: ReportCoarse): void {
    let [unknownFromMs, stepMs] = [fromMs, beginningOfStep(fromMs)];
    const earliestMs = beginningOfStep(toMs) - MAX_SKIPPED_STEPS * STEP_MS;
    for (; stepMs + STEP_MS <= toMs; stepMs += STEP_MS, unknownFromMs = stepMs) {
      this.#unknownMinutes += (stepMs + STEP_MS - unknownFromMs) / MINUTE_MS;
      this.#endStep(stepMs, report);
      if (stepMs < earliestMs) stepMs = earliestMs;
    }
    this.#unknownMinutes += Math.max(0, toMs - unknownFromMs) / MINUTE_MS;
  }

  rearm(index: number): void {
    const state = this.#at(index);
    resetLongRise(state);
    state.count = 0;
    state.isPartial = true;
  }

  withdrawAlarm(index: number, side: Side): void {
    withdrawLongAlarm(this.#at(index), side);
  }

  /** Whether an alarm of a side closed at most so many minutes ago. */
  hadClosed(index: number, side: Side, withinMinutes: number): boolean {
    if (!this.has(index)) return false;
    const state = this.#at(index);
    const closedAge = state.closedAge(side);
    return closedAge > 0 && (state.age - closedAge) * COARSE_LAYOUT.stepMinutes <= withinMinutes;
  }

  /** Whether nothing of the last step holds an open alarm. */
  isQuiet(index: number, side: Side): boolean {
    if (!this.has(index)) return false;
    const state = this.#at(index);
    return state.openedAge(side) > 0 && state.quietSteps(side) > 0;
  }

  /** The excess within the steps that are kept, by the events that are usual in one. */
  latestExcessOf(index: number, side: Side, rate: number): Excess {
    const state = this.#at(index);
    const { steps, dispersion } = state;
    return findExcess({ side, length: steps, rate, dispersion }, (before) => state.countAt(before + 1));
  }

  /** Events that are usual in the step that runs at a time. */
  usualRateOf(index: number, timeMs: number): number {
    const state = this.#at(index);
    return state.level * factorOf(state, COARSE_LAYOUT, numberOf(COARSE_LAYOUT, timeMs));
  }

  /** How many exceedances like this one are expected a week by chance, in any series. */
  falseAlarmsPerWeek(index: number, { side, evidence }: Exceedance): number {
    const peaks = peaksPerWeek(this.#at(index), COARSE_LAYOUT, side, evidence);
    return (2 * peaks * this.#budget.ofAll()) / this.#budget.shareOf(index);
  }

  /** The counts that would open an alarm of a series in the step that runs at a time. */
  openingCountsOf(index: number, timeMs: number): OpeningCounts[] {
    if (!this.has(index)) return [];
    const step = { stepMs: beginningOfStep(timeMs), budgetPerWeek: this.#budget.shareOf(index) };
    return openingCountsOf(this.#at(index), COARSE_LAYOUT, step);
  }

  save(): SavedCoarseGroup {
    return {
      series: this.#records.save(),
      steps: this.#steps,
      unknownMinutes: this.#unknownMinutes,
      unlearnedMinutes: [...this.#unlearnedMinutes],
    };
  }

  /** Evaluates rises of the series that have counted since the last time, within the step that runs. */
  #evaluateRunning(stepMs: number, { latestOf, report }: MinuteHooks): void {
    for (let index = 0; index < this.#records.size; index++) {
      if (!this.has(index)) continue;
      const state = this.#at(index);
      if (!state.hasNewCounts) continue;
      state.hasNewCounts = false;
      const latest = latestOf(index);
      const step = { stepMs, count: state.count, latest, budgetPerWeek: this.#budget.shareOf(index) };
      for (const change of evaluateRunningStep(state, COARSE_LAYOUT, step)) report(index, change);
    }
  }

  #endStep(stepMs: number, report: ReportCoarse): void {
    for (let index = 0; index < this.#records.size; index++) {
      if (!this.has(index)) continue;
      const unknown = this.#unknownMinutes + (this.#unlearnedMinutes.get(index) ?? 0);
      const unknownShare = unknown / COARSE_LAYOUT.stepMinutes;
      const state = this.#at(index);
      const usual = this.usualRateOf(index, stepMs);
      const isKnown = unknownShare <= MAX_UNKNOWN_SHARE && !isImportStep(state, state.level);
      const count = isKnown ? filledCount(state, unknownShare, usual) : Number.NaN;
      const step = { stepMs, count, budgetPerWeek: this.#budget.shareOf(index) };
      const changes = evaluateLongStep(state, COARSE_LAYOUT, step);
      beginStep(state);
      for (const change of changes) report(index, change);
    }
    this.#steps++;
    this.#unknownMinutes = 0;
    this.#unlearnedMinutes.clear();
  }

  #addUnlearned(isUnlearned: (index: number) => boolean): void {
    for (const index of this.#records.indices()) {
      if (isUnlearned(index)) this.#unlearnedMinutes.set(index, (this.#unlearnedMinutes.get(index) ?? 0) + 1);
    }
  }

  #at(index: number): LongState {
    this.#view.first = this.#records.firstOf(index);
    return this.#view;
  }
}

function beginningOfStep(timeMs: number): number {
  return Math.floor(timeMs / STEP_MS) * STEP_MS;
}

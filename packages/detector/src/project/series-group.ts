import { poolDispersion } from '../calibration/pooled-dispersion.ts';
import { PooledMaxima } from '../calibration/pooled-maxima.ts';
import {
  type CalibrationContext,
  falseAlarmsPerWeek,
  fitWindowTail,
  type PooledTail,
} from '../calibration/thresholds.ts';
import type { AlarmChange, Exceedance } from '../series/alarm-state.ts';
import { acceptDrop, createErrorSeries, resetRise } from '../series/error-series.ts';
import { type OpeningCounts, openingCounts } from '../series/opening-counts.ts';
import { raiseLevel } from '../series/raise-level.ts';
import { beginSkippedPeriods, seasonalPositionOf } from '../series/seasonality.ts';
import {
  createSeries,
  type EvaluationContext,
  evaluatePartialStep,
  evaluateStep,
  recalibrate,
} from '../series/series-detector.ts';
import { createWorkspace, type Workspace } from '../series/workspace.ts';
import { MAX_COUNT } from '../state/count.ts';
import { type Resolution, resolutionOf } from '../state/resolution.ts';
import { type SeriesState, sideWindow } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';

const POOLING_MINUTES = 15;
/** Error series skip the pooled tails until the project has this many block maxima. */
const MIN_POOLED_MAXIMA = 60;

export interface TrackedSeries {
  state: SeriesState;
  weight: number;
  /** Events of the step that runs. */
  count: number;
  /** Events of the step that runs which came too late to be evaluated; missing: none. */
  lateCount?: number;
  /** Whether it has counted since the last evaluation. */
  hasNewCounts: boolean;
  /** Whether it counts as silent until its first event: see `createErrorSeries`. */
  isErrorSeries: boolean;
  /** Whether a part of the step that runs was set aside: then its count is not known. */
  isPartial: boolean;
}

/** What a series is added with. */
export interface NewSeries {
  weight: number;
  isErrorSeries: boolean;
  /** It may have existed before: then even errors do not count as having been silent. */
  mayBeOld: boolean;
}

export interface SavedGroup {
  tracked: TrackedSeries[];
  maxima: Uint8Array;
  /** As fitted last: maxima added since then are not part of them yet. */
  tails: PooledTail[] | null;
  steps: number;
  weights: number;
}

/**
 * Series that are stepped together, pool what they have shown (dispersions and tails), and share one budget of false
 * alarms. Pooling is brought up to date every quarter of an hour.
 */
export class SeriesGroup {
  readonly resolution: Resolution;
  readonly #tracked: TrackedSeries[];
  readonly #maxima: PooledMaxima;
  readonly #workspace: Workspace = createWorkspace();
  #tails: PooledTail[] | null = null;
  #budgetPerWeek: number;
  #steps: number;
  #weights = 0;

  constructor(stepMinutes: number, budgetPerWeek: number, saved?: SavedGroup) {
    this.resolution = resolutionOf(stepMinutes);
    this.#budgetPerWeek = budgetPerWeek;
    this.#maxima = new PooledMaxima(saved?.maxima);
    this.#steps = saved?.steps ?? 0;
    this.#tracked = saved?.tracked ?? [];
    if (!saved) return;
    this.#weights = saved.weights;
    this.#tails = saved.tails;
  }

  /** @returns the index of the new series */
  add(series: NewSeries): number {
    this.#weights += series.weight;
    this.#tracked.push(this.#create(series));
    if (this.#tracked.length === 2) this.pool();
    return this.#tracked.length - 1;
  }

  /** Gives the index of an inactive series to another one. */
  replace(index: number, series: NewSeries): void {
    this.#weights += series.weight - this.#at(index).weight;
    this.#tracked[index] = this.#create(series);
  }

  setWeight(index: number, weight: number): void {
    const tracked = this.#at(index);
    this.#weights += weight - tracked.weight;
    tracked.weight = weight;
  }

  setBudget(budgetPerWeek: number): void {
    this.#budgetPerWeek = budgetPerWeek;
    this.pool();
  }

  count(index: number, events: number): void {
    const tracked = this.#at(index);
    tracked.count = Math.min(MAX_COUNT, tracked.count + events);
    tracked.hasNewCounts = true;
  }

  /** Late events are not evaluated: they make up for what is missing in the step, and no more. */
  countLate(index: number, events: number): void {
    const tracked = this.#at(index);
    tracked.lateCount = Math.min(MAX_COUNT, (tracked.lateCount ?? 0) + events);
  }

  /** Makes a series expect at least so many events a step. */
  raiseLevelTo(index: number, perStep: number): void {
    const { state } = this.#at(index);
    const missing = perStep - state.level;
    if (missing > 0) raiseLevel(state, this.resolution, missing);
  }

  /** Sets the value of the step that runs, where it is not a sum of events; NaN: it is not known. */
  setValue(index: number, value: number): void {
    this.#at(index).count = value;
  }

  /** A person has resolved its incident: see `resetRise`. */
  rearm(index: number): void {
    const tracked = this.#at(index);
    resetRise(tracked.state);
    tracked.count = 0;
    tracked.isPartial = true;
  }

  acceptDrop(index: number): void {
    acceptDrop(this.#at(index).state);
  }

  /** Evaluates the series that have counted since the last time, within the step that runs: see `evaluatePartialStep`. */
  evaluatePartialStep(timeMs: number, report: (index: number, change: AlarmChange) => void): void {
    const position = seasonalPositionOf(this.resolution, timeMs);
    this.#tracked.forEach((tracked, index) => {
      if (!tracked.hasNewCounts) return;
      tracked.hasNewCounts = false;
      const context = { ...this.#contextOf(tracked), position };
      const changes = evaluatePartialStep(tracked.state, context, tracked.count, this.#workspace);
      for (const change of changes) report(index, change);
    });
  }

  /** Ends the step that began then, for all series. */
  endStep(timeMs: number, isKnown: boolean, report: (index: number, change: AlarmChange) => void): void {
    const { resolution } = this;
    const position = seasonalPositionOf(resolution, timeMs);
    // One object for all series: it is not kept.
    const context: EvaluationContext = { resolution, position, pooledTails: this.#tails, budgetPerWeek: 0 };
    const tailsForErrors = this.#tailsForErrors();
    for (let index = 0; index < this.#tracked.length; index++) {
      const tracked = this.#at(index);
      const { state } = tracked;
      context.budgetPerWeek = this.#budgetShareOf(tracked.weight);
      context.pooledTails = tracked.isErrorSeries ? tailsForErrors : this.#tails;
      const [rises, drops] = [state.blocks(UP), state.blocks(DOWN)];
      const count = isKnown && !tracked.isPartial ? countWithLate(tracked) : Number.NaN;
      context.isImport = isImportStep(tracked);
      for (const change of evaluateStep(state, context, count, this.#workspace)) report(index, change);
      if (state.blocks(UP) !== rises) this.#maxima.add(state, resolution, UP);
      if (state.blocks(DOWN) !== drops) this.#maxima.add(state, resolution, DOWN);
      tracked.count = 0;
      tracked.lateCount = 0;
      tracked.hasNewCounts = false;
      tracked.isPartial = false;
    }
    this.#steps++;
    const every = Math.max(1, Math.round(POOLING_MINUTES / resolution.stepMinutes));
    if (this.#steps % every === 0) this.pool();
  }

  /** Goes from the step that began at a time to a later one, without the steps between. */
  skip(fromMs: number, toMs: number): void {
    const states = this.#tracked.map(({ state }) => state);
    beginSkippedPeriods(states, this.resolution, fromMs, toMs);
  }

  /** Brings what the series pool, and their shares of the budget, up to date. */
  pool(): void {
    this.#weights = this.#tracked.reduce((sum, { weight }) => sum + weight, 0);
    if (this.#tracked.length > 1) {
      this.#tails = this.#maxima.fitTails(this.#workspace.sorted);
      poolDispersion(this.#tracked.map(({ state }) => state));
    }
    for (const tracked of this.#tracked) {
      recalibrate(tracked.state, this.#contextOf(tracked), this.#workspace);
    }
  }

  save(): SavedGroup {
    return {
      tracked: this.#tracked,
      maxima: this.#maxima.toBytes(),
      tails: this.#tails,
      steps: this.#steps,
      weights: this.#weights,
    };
  }

  /** The share of the budget: false alarms a week. */
  budgetShareOf(index: number): number {
    return this.#budgetShareOf(this.#at(index).weight);
  }

  /** Events that are expected of a step. */
  levelOf(index: number): number {
    return this.#at(index).state.level;
  }

  dispersionOf(index: number): number {
    return this.#at(index).state.dispersion;
  }

  /** The counts that would open an alarm of a series in the step that runs: see `openingCounts`. */
  openingCountsOf(index: number, timeMs: number): OpeningCounts[] {
    const tracked = this.#at(index);
    const context = { ...this.#contextOf(tracked), position: seasonalPositionOf(this.resolution, timeMs) };
    return openingCounts(tracked.state, context, this.#workspace);
  }

  /**
   * How many exceedances like this one are expected a week by chance, in any series; null before the first block maximum.
   */
  falseAlarmsPerWeek(index: number, { side, window, evidence }: Exceedance): number | null {
    const tracked = this.#at(index);
    const pooledTail = this.#contextOf(tracked).pooledTails?.[sideWindow(side, window)] ?? null;
    if (!pooledTail?.count && tracked.state.blocks(side) === 0) return null;
    const { sorted } = this.#workspace;
    const tail = fitWindowTail(tracked.state, this.resolution, { side, window, pooledTail }, sorted);
    return (falseAlarmsPerWeek(tail, this.resolution, side, evidence) * this.#weights) / tracked.weight;
  }

  #create({ weight, isErrorSeries, mayBeOld }: NewSeries): TrackedSeries {
    const context = this.#contextOf({ weight, isErrorSeries });
    const state =
      isErrorSeries && !mayBeOld
        ? createErrorSeries(context, this.#steps, this.#workspace)
        : createSeries(context, this.#workspace);
    return { state, weight, count: 0, hasNewCounts: false, isErrorSeries, isPartial: false };
  }

  #contextOf({ weight, isErrorSeries }: Pick<TrackedSeries, 'weight' | 'isErrorSeries'>): CalibrationContext {
    const pooledTails = isErrorSeries ? this.#tailsForErrors() : this.#tails;
    return { resolution: this.resolution, pooledTails, budgetPerWeek: this.#budgetShareOf(weight) };
  }

  #tailsForErrors(): PooledTail[] | null {
    return (this.#tails?.[0]?.count ?? 0) < MIN_POOLED_MAXIMA ? null : this.#tails;
  }

  #budgetShareOf(weight: number): number {
    return (this.#budgetPerWeek * weight) / this.#weights;
  }

  #at(index: number): TrackedSeries {
    return this.#tracked[index] as TrackedSeries; // indices come from `add`, and series are never removed
  }
}

/**
 * So many times what is expected comes late only in an import, which teaches nothing. A source that delivers late is not
 * far from its usual rate; its steps are learned from, or its series would never adapt.
 */
const IMPORT_FACTOR = 10;

function isImportStep({ lateCount = 0, state }: TrackedSeries): boolean {
  return lateCount > IMPORT_FACTOR * Math.max(1, state.level);
}

/** A source that delivers late is not silent: its events fill the step up to what was expected. */
function countWithLate({ count, lateCount = 0, state }: TrackedSeries): number {
  return lateCount > 0 && count < state.level ? Math.min(count + lateCount, state.level) : count;
}

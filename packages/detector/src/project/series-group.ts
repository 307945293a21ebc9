import { poolDispersion } from '../calibration/pooled-dispersion.ts';
import { PooledTails } from '../calibration/pooled-tails.ts';
import {
  type CalibrationContext,
  type FittedTail,
  falseAlarmsPerWeek,
  fitWindowTail,
  type PooledTailSource,
} from '../calibration/thresholds.ts';
import { type AlarmChange, type Exceedance, isOpen } from '../series/alarm-state.ts';
import { acceptDrop, createErrorSeries, resetRise } from '../series/error-series.ts';
import { slowestRate } from '../series/level.ts';
import { type OpeningCounts, openingCounts } from '../series/opening-counts.ts';
import { raiseLevel } from '../series/raise-level.ts';
import { bandOfWeek, beginSkippedPeriods, lowestOfDay, seasonalPositionOf } from '../series/seasonality.ts';
import {
  createSeries,
  type EvaluationContext,
  evaluatePartialStep,
  evaluateStep,
  recalibrate,
} from '../series/series-detector.ts';
import { createWorkspace, type Workspace } from '../series/workspace.ts';
import { MAX_COUNT } from '../state/count.ts';
import { type CoarseStep, coarseResolutionOf, type Resolution, resolutionOf } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import type { Side } from '../state/side.ts';

const POOLING_MINUTES = 15;
/** Tails change less often than dispersions: with the block maxima. */
const TAIL_POOLING_MINUTES = 60;
/** Of coarse steps, which change less often: what it costs is that of all series. */
const COARSE_POOLING_MINUTES = 360;
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
  /** The part of its share that it has at this step; missing: all of it. */
  part?: number;
}

/** What a series is added with. */
export interface NewSeries {
  weight: number;
  isErrorSeries: boolean;
  /** It may have existed before: then even errors do not count as having been silent. */
  mayBeOld: boolean;
  /** The part of its share that it has at this step; missing: all of it. */
  part?: number;
}

/** The step of a group that evaluates some of the series of another one. */
interface CoarsePart {
  stepMinutes: CoarseStep;
  /** False alarms a week. */
  budgetShareOf: (index: number) => number;
}

export interface SavedGroup {
  tracked: TrackedSeries[];
  /** Theirs; missing: all from 0 on. */
  indices?: number[];
  /** Of `PooledTails`, as fitted last. */
  pooledTails: Uint8Array;
  /** The tails in their place that a program before had saved; null: it had one series. */
  formerTails?: FittedTail[] | null;
  steps: number;
  weights: number;
}

/**
 * Series that are stepped together, pool what they have shown (dispersions and tails), and share one budget of false
 * alarms. Pooling is brought up to date every quarter of an hour.
 */
export class SeriesGroup {
  readonly resolution: Resolution;
  readonly #tracked: (TrackedSeries | undefined)[];
  readonly #coarse: CoarsePart | null;
  readonly #pooledTails: PooledTails;
  readonly #workspace: Workspace = createWorkspace();
  #budgetPerWeek: number;
  #steps: number;
  #weights = 0;

  /** @param step in minutes; of series that another group has at a minute, with where their share comes from */
  constructor(step: number | CoarsePart, budgetPerWeek: number, saved?: SavedGroup) {
    this.#coarse = typeof step === 'number' ? null : step;
    this.resolution = typeof step === 'number' ? resolutionOf(step) : coarseResolutionOf(step.stepMinutes);
    this.#budgetPerWeek = budgetPerWeek;
    this.#pooledTails = saved?.formerTails
      ? PooledTails.fromFormer(saved.formerTails)
      : new PooledTails(saved?.formerTails === undefined ? saved?.pooledTails : undefined);
    this.#steps = saved?.steps ?? 0;
    this.#tracked = [];
    saved?.tracked.forEach((tracked, at) => {
      this.#tracked[saved.indices?.[at] ?? at] = tracked;
    });
    if (!saved) return;
    this.#weights = saved.weights;
  }

  /** @returns the index of the new series */
  add(series: NewSeries): number {
    this.#weights += series.weight;
    this.#tracked.push(this.#create(series, this.#tracked.length));
    if (this.#tracked.length === 2) this.pool();
    return this.#tracked.length - 1;
  }

  /** Gives the index of an inactive series to another one. */
  replace(index: number, series: NewSeries): void {
    this.#weights += series.weight - this.#at(index).weight;
    this.#tracked[index] = this.#create(series, index);
  }

  /** Watches a series under the index that it has in the group of the minute. */
  watch(index: number, series: NewSeries, state: SeriesState): void {
    this.#tracked[index] = this.#create(series, index, state);
  }

  unwatch(index: number): void {
    this.#tracked[index] = undefined;
  }

  /** The part of its share that a series has at this step. */
  setPart(index: number, part: number): void {
    this.#at(index).part = part;
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

  /** The series has no count in the step that runs. */
  setUnknown(index: number): void {
    this.#at(index).isPartial = true;
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
      if (!tracked?.hasNewCounts) return;
      tracked.hasNewCounts = false;
      const context = { ...this.#contextOf(tracked, index), position };
      const changes = evaluatePartialStep(tracked.state, context, tracked.count, this.#workspace);
      for (const change of changes) report(index, change);
    });
  }

  /**
   * Ends the step that began then, for all series.
   * @param unknownShare of a known step: the part whose counts say nothing
   */
  endStep(
    timeMs: number,
    isKnown: boolean,
    report: (index: number, change: AlarmChange) => void,
    unknownShare = 0,
  ): void {
    const { resolution } = this;
    const position = seasonalPositionOf(resolution, timeMs);
    // One object for all series: it is not kept.
    const context: EvaluationContext = { resolution, position, pooledTails: null, budgetPerWeek: 0 };
    const [tails, tailsForErrors] = [this.#tailsFor(false), this.#tailsFor(true)];
    for (let index = 0; index < this.#tracked.length; index++) {
      const tracked = this.#tracked[index];
      if (!tracked) continue;
      const { state } = tracked;
      context.budgetPerWeek = this.budgetShareOf(index) * (tracked.part ?? 1);
      context.pooledTails = tracked.isErrorSeries ? tailsForErrors : tails;
      const count = isKnown && !tracked.isPartial ? filledCount(tracked, unknownShare) : Number.NaN;
      context.isImport = isImportStep(tracked);
      for (const change of evaluateStep(state, context, count, this.#workspace)) report(index, change);
      tracked.count = 0;
      tracked.lateCount = 0;
      tracked.hasNewCounts = false;
      tracked.isPartial = false;
    }
    this.#steps++;
    const poolingMinutes = resolution.isCoarse ? COARSE_POOLING_MINUTES : POOLING_MINUTES;
    const every = Math.max(1, Math.round(poolingMinutes / resolution.stepMinutes));
    if (this.#steps % every === 0) this.pool();
  }

  /** Goes from the step that began at a time to a later one, without the steps between. */
  skip(fromMs: number, toMs: number): void {
    beginSkippedPeriods(this.#states(), this.resolution, fromMs, toMs);
  }

  /** Brings what the series pool, and their shares of the budget, up to date. */
  pool(): void {
    this.#weights = this.#tracked.reduce((sum, tracked) => sum + (tracked?.weight ?? 0), 0);
    const states = this.#states();
    if (states.length > 1) {
      this.#pooledTails.startLending();
      const every = Math.max(1, Math.round(TAIL_POOLING_MINUTES / this.resolution.stepMinutes));
      if (this.#steps % every === 0) this.#pooledTails.fit(states, this.resolution, this.#workspace.sorted);
      poolDispersion(states);
    }
    this.#tracked.forEach((tracked, index) => {
      if (tracked) recalibrate(tracked.state, this.#contextOf(tracked, index), this.#workspace);
    });
  }

  save(): SavedGroup {
    return {
      tracked: this.#tracked.flatMap((tracked) => tracked ?? []),
      ...(this.#coarse && { indices: this.indices() }),
      pooledTails: this.#pooledTails.toBytes(),
      steps: this.#steps,
      weights: this.#weights,
    };
  }

  get budgetPerWeek(): number {
    return this.#budgetPerWeek;
  }

  /** The share of the budget, for all steps at which the series is evaluated: false alarms a week. */
  budgetShareOf(index: number): number {
    return this.#coarse ? this.#coarse.budgetShareOf(index) : this.#budgetShareOf(this.#at(index).weight);
  }

  /** How many indices it has, of which coarse groups watch some. */
  get size(): number {
    return this.#tracked.length;
  }

  isErrorSeries(index: number): boolean {
    return this.#at(index).isErrorSeries;
  }

  /** What a series is watched with at another step. One of errors counts as silent before its first event here alone. */
  newSeriesOf(index: number): NewSeries {
    const { weight, isErrorSeries, state } = this.#at(index);
    const { knownMinutes, events } = slowestRate(state, this.resolution);
    return { weight, isErrorSeries, mayBeOld: knownMinutes === 0 || events > 0 };
  }

  /** Events a minute over the last week, and how many minutes of it are known. */
  rateOfWeek(index: number): { perMinute: number; knownMinutes: number } {
    return slowestRate(this.#at(index).state, this.resolution);
  }

  /** Whether an alarm of a side is open, or closed at most so many minutes ago. */
  hadAlarm(index: number, side: Side, withinMinutes: number): boolean {
    const { state } = this.#at(index);
    if (isOpen(state, side)) return true;
    const closedAge = state.closedAge(side);
    return closedAge > 0 && (state.age - closedAge) * this.resolution.stepMinutes <= withinMinutes;
  }

  /** Whether nothing of the last step holds an open alarm. */
  isQuiet(index: number, side: Side): boolean {
    return this.#at(index).state.quietSteps(side) > 0;
  }

  /** Events of the step that runs, so far. */
  countOf(index: number): number {
    return this.#at(index).count;
  }

  /** Events that are expected of a step. */
  levelOf(index: number): number {
    return this.#at(index).state.level;
  }

  /** The least rate that its level, yesterday's time of day and last week's hour make normal, in events a minute. */
  lowestRateOf(index: number, timeMs: number): number {
    const { state } = this.#at(index);
    const position = seasonalPositionOf(this.resolution, timeMs);
    const perStep = Math.min(state.level, lowestOfDay(state, position), bandOfWeek(state, position).low);
    return perStep / this.resolution.stepMinutes;
  }

  dispersionOf(index: number): number {
    return this.#at(index).state.dispersion;
  }

  /** The counts that would open an alarm of a series in the step that runs: see `openingCounts`. */
  openingCountsOf(index: number, timeMs: number): OpeningCounts[] {
    const tracked = this.#at(index);
    const context = {
      ...this.#contextOf(tracked, index),
      position: seasonalPositionOf(this.resolution, timeMs),
    };
    return openingCounts(tracked.state, context, this.#workspace);
  }

  /**
   * How many exceedances like this one are expected a week by chance, in any series; null before the first block maximum.
   */
  falseAlarmsPerWeek(index: number, { side, window, evidence }: Exceedance): number | null {
    const tracked = this.#at(index);
    const pooledTail = this.#tailsFor(tracked.isErrorSeries)?.of(tracked.state, side, window) ?? null;
    if (!pooledTail?.count && tracked.state.blocks(side) === 0) return null;
    const { sorted } = this.#workspace;
    const tail = fitWindowTail(tracked.state, this.resolution, { side, window, pooledTail }, sorted);
    const share = this.budgetShareOf(index) * (tracked.part ?? 1);
    return (falseAlarmsPerWeek(tail, this.resolution, side, evidence) * this.#budgetPerWeek) / share;
  }

  #create(
    { weight, isErrorSeries, mayBeOld, part }: NewSeries,
    index: number,
    own?: SeriesState,
  ): TrackedSeries {
    const kept = part !== undefined && { part };
    const context = this.#contextOf({ weight, isErrorSeries, ...kept }, index);
    const isWarm = isErrorSeries && !mayBeOld;
    const state = isWarm
      ? createErrorSeries(context, this.#steps, this.#workspace, own)
      : createSeries(context, this.#workspace, own);
    // Of a step that runs already, a series that is not an error series may have missed a part.
    const isPartial = this.#coarse !== null && !isWarm;
    return { state, weight, count: 0, hasNewCounts: false, isErrorSeries, isPartial, ...kept };
  }

  #contextOf(
    { weight, isErrorSeries, part = 1 }: Pick<TrackedSeries, 'weight' | 'isErrorSeries' | 'part'>,
    index: number,
  ): CalibrationContext {
    const pooledTails = this.#tailsFor(isErrorSeries);
    const share = this.#coarse ? this.#coarse.budgetShareOf(index) : this.#budgetShareOf(weight);
    return { resolution: this.resolution, pooledTails, budgetPerWeek: share * part };
  }

  /** The indices of its series. */
  indices(): number[] {
    return this.#tracked.flatMap((tracked, index) => (tracked ? index : []));
  }

  #states(): SeriesState[] {
    return this.#tracked.flatMap((tracked) => (tracked ? [tracked.state] : []));
  }

  #tailsFor(isErrorSeries: boolean): PooledTailSource | null {
    const tails = this.#pooledTails;
    return tails.lends && (!isErrorSeries || tails.rises >= MIN_POOLED_MAXIMA) ? tails : null;
  }

  #budgetShareOf(weight: number): number {
    return (this.#budgetPerWeek * weight) / this.#weights;
  }

  #at(index: number): TrackedSeries {
    return this.#tracked[index] as TrackedSeries; // indices come from `add`, or are watched at a coarse step
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

/**
 * A source that delivers late is not silent: its events fill the step up to what was expected, and no further. So does
 * what would be expected of the part of a step that is not known.
 */
function filledCount({ count, lateCount = 0, state }: TrackedSeries, unknownShare: number): number {
  const missing = lateCount + unknownShare * state.level;
  return missing > 0 && count < state.level ? Math.min(count + missing, state.level) : count;
}

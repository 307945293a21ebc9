import type { FittedTail } from '../calibration/thresholds.ts';
import { type AlarmChange, type Exceedance, isOpen, withdrawAlarm } from '../series/alarm-state.ts';
import { describeRise, type EndingRise, isRiseOver, type OpenRise } from '../series/end-of-rise.ts';
import { acceptDrop, createErrorSeries } from '../series/error-series.ts';
import { levelOfStep } from '../series/expect-by-day.ts';
import { slowestRate } from '../series/level.ts';
import { type OpeningCounts, openingCounts } from '../series/opening-counts.ts';
import { type RecentCounts, recentCounts } from '../series/recent-counts.ts';
import { beginSkippedPeriods, seasonalPositionOf } from '../series/seasonality.ts';
import {
  createSeries,
  type EvaluationContext,
  evaluatePartialStep,
  evaluateStep,
} from '../series/series-detector.ts';
import { createWorkspace, type Workspace } from '../series/workspace.ts';
import { RecordMemory } from '../state/record-memory.ts';
import { type CoarseStep, coarseResolutionOf, type Resolution, resolutionOf } from '../state/resolution.ts';
import { coarseLayoutOf, FULL_LAYOUT, type SeriesLayout } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import { type Side, UP } from '../state/side.ts';
import { SharedCalibration } from './shared-calibration.ts';
import {
  addEvents,
  addLateEvents,
  beginStep,
  closeRise,
  filledCount,
  hadAlarm,
  hadClosed,
  isImportStep,
  latestCount,
  lowestRate,
  type NewSeries,
  newSeriesOf,
  raiseLevelTo,
  rearmTracked,
  type TrackedSeries,
} from './tracked-series.ts';

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
  readonly #isCoarse: boolean;
  readonly #workspace: Workspace = createWorkspace();
  readonly #layout: SeriesLayout;
  readonly #memory: RecordMemory;
  readonly #calibration: SharedCalibration;
  #steps: number;

  /** @param step in minutes; of series that another group has at a minute, with where their share comes from */
  constructor(step: number | CoarsePart, budgetPerWeek: number, saved?: SavedGroup) {
    this.#isCoarse = typeof step !== 'number';
    this.resolution = typeof step === 'number' ? resolutionOf(step) : coarseResolutionOf(step.stepMinutes);
    this.#layout = typeof step === 'number' ? FULL_LAYOUT : coarseLayoutOf(step.stepMinutes);
    this.#memory = new RecordMemory(this.#layout.end);
    const shareOf = typeof step === 'number' ? null : step.budgetShareOf;
    this.#calibration = new SharedCalibration(this.resolution, { perWeek: budgetPerWeek, shareOf }, saved);
    this.#steps = saved?.steps ?? 0;
    this.#tracked = [];
    saved?.tracked.forEach((tracked, at) => {
      const state = this.#createState(tracked.state.toBytes());
      this.#tracked[saved.indices?.[at] ?? at] = { ...tracked, state };
    });
  }

  /** @returns the index of the new series */
  add(series: NewSeries): number {
    this.#calibration.weights += series.weight;
    this.#tracked.push(this.#create(series, this.#tracked.length));
    if (this.#tracked.length === 2) this.pool();
    return this.#tracked.length - 1;
  }

  /** Gives the index of an inactive series to another one. */
  replace(index: number, series: NewSeries): void {
    const { weight, state } = this.#at(index);
    this.#calibration.weights += series.weight - weight;
    this.#memory.giveBack(state.place);
    this.#tracked[index] = this.#create(series, index);
  }

  /** Watches a series under the index that it has in the group of the minute. */
  watch(index: number, series: NewSeries): void {
    this.#tracked[index] = this.#create(series, index);
  }

  unwatch(index: number): void {
    this.#memory.giveBack(this.#at(index).state.place);
    this.#tracked[index] = undefined;
  }

  /** The part of its share that a series has at this step. */
  setPart(index: number, part: number): void {
    this.#at(index).part = part;
  }

  setWeight(index: number, weight: number): void {
    const tracked = this.#at(index);
    this.#calibration.weights += weight - tracked.weight;
    tracked.weight = weight;
  }

  setBudget(budgetPerWeek: number): void {
    this.#calibration.budgetPerWeek = budgetPerWeek;
    this.pool();
  }

  count(index: number, events: number): void {
    addEvents(this.#at(index), events);
  }

  /** Late events are not evaluated: they make up for what is missing in the step, and no more. */
  countLate(index: number, events: number): void {
    addLateEvents(this.#at(index), events);
  }

  /** Makes a series expect at least so many events a step. */
  raiseLevelTo(index: number, perStep: number): void {
    raiseLevelTo(this.#at(index), this.resolution, perStep);
  }

  /** The series has no count in the step that runs. */
  setUnknown(index: number): void {
    this.#at(index).isPartial = true;
  }

  /** A person has resolved its incident: see `resetRise`. */
  rearm(index: number): void {
    rearmTracked(this.#at(index));
  }

  /** Its open rise, while a step runs; null where it has none. */
  riseOf(index: number, timeMs: number): OpenRise | null {
    const { state, count } = this.#at(index);
    if (!isOpen(state, UP)) return null;
    const { resolution } = this;
    const position = seasonalPositionOf(resolution, timeMs);
    return describeRise(state, { resolution, position }, count, this.#workspace);
  }

  /** Whether the steps that ended last, one of them then, say that a rise is over: see `isRiseOver`. */
  isRiseOver(index: number, timeMs: number, rise: EndingRise): boolean {
    const { resolution } = this;
    const position = seasonalPositionOf(resolution, timeMs);
    return isRiseOver(this.#at(index).state, { resolution, position }, rise, this.#workspace);
  }

  closeRise(index: number): void {
    closeRise(this.#at(index));
  }

  acceptDrop(index: number): void {
    acceptDrop(this.#at(index).state);
  }

  withdrawAlarm(index: number, side: Side): void {
    withdrawAlarm(this.#at(index).state, side);
  }

  /**
   * Evaluates the series that have counted since the last time, within the step that runs: see `evaluatePartialStep`.
   * @param latestOf what came in the last time that is as long as a step
   */
  evaluatePartialStep(
    timeMs: number,
    report: (index: number, change: AlarmChange) => void,
    latestOf: (index: number) => number = () => 0,
  ): void {
    const position = seasonalPositionOf(this.resolution, timeMs);
    for (let index = 0; index < this.#tracked.length; index++) {
      const tracked = this.#tracked[index];
      if (!tracked?.hasNewCounts) continue;
      tracked.hasNewCounts = false;
      const latest = latestOf(index);
      const context = { ...this.#calibration.contextOf(tracked, index), position, latest };
      const changes = evaluatePartialStep(tracked.state, context, tracked.count, this.#workspace);
      for (const change of changes) report(index, change);
    }
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
    const calibration = this.#calibration;
    const position = seasonalPositionOf(resolution, timeMs);
    // One object for all series: it is not kept.
    const { rarity } = calibration;
    const context: EvaluationContext = { resolution, position, pooledTails: null, budgetPerWeek: 0, rarity };
    const levelOf = (state: SeriesState) => levelOfStep(state, resolution, position, this.#workspace);
    const [tails, tailsForErrors] = [calibration.tailsFor(false), calibration.tailsFor(true)];
    for (let index = 0; index < this.#tracked.length; index++) {
      const tracked = this.#tracked[index];
      if (!tracked) continue;
      context.budgetPerWeek = calibration.budgetShareOf(tracked.weight, index) * tracked.part;
      context.pooledTails = tracked.isErrorSeries ? tailsForErrors : tails;
      const count = isKnown ? filledCount(tracked, unknownShare, levelOf) : Number.NaN;
      context.isErrorSeries = tracked.isErrorSeries;
      context.isImport = isImportStep(tracked);
      for (const change of evaluateStep(tracked.state, context, count, this.#workspace))
        report(index, change);
      beginStep(tracked);
    }
    this.#steps++;
    if (calibration.isDue(this.#steps)) this.pool();
  }

  /** Goes from the step that began at a time to a later one, without the steps between. */
  skip(fromMs: number, toMs: number): void {
    const states = this.#tracked.flatMap((tracked) => (tracked ? [tracked.state] : []));
    beginSkippedPeriods(states, this.resolution, fromMs, toMs);
  }

  /** Brings what the series pool, and their shares of the budget, up to date. */
  pool(): void {
    this.#calibration.update(this.#tracked, this.#steps);
  }

  save(): SavedGroup {
    return {
      tracked: this.#tracked.flatMap((tracked) => tracked ?? []),
      ...(this.#isCoarse && { indices: this.indices() }),
      pooledTails: this.#calibration.tailsToBytes(),
      steps: this.#steps,
      weights: this.#calibration.weights,
    };
  }

  /** The number of indices. A coarse group watches some of them. */
  get size(): number {
    return this.#tracked.length;
  }

  /** The indices of its series. */
  indices(): number[] {
    return this.#tracked.flatMap((tracked, index) => (tracked ? index : []));
  }

  /** False alarms a week, of all series. */
  get budgetPerWeek(): number {
    return this.#calibration.budgetPerWeek;
  }

  /** The share of the budget, for all steps at which the series is evaluated: false alarms a week. */
  budgetShareOf(index: number): number {
    return this.#calibration.budgetShareOf(this.#isCoarse ? 0 : this.#at(index).weight, index);
  }

  /** How many exceedances like this one are expected a week by chance, in any series; null before the first block maximum. */
  falseAlarmsPerWeek(index: number, exceedance: Exceedance): number | null {
    return this.#calibration.falseAlarmsPerWeek(this.#at(index), index, exceedance);
  }

  isErrorSeries(index: number): boolean {
    return this.#at(index).isErrorSeries;
  }

  /** What a series is watched with at another step: see `newSeriesOf`. */
  newSeriesOf(index: number): NewSeries {
    return newSeriesOf(this.#at(index), this.resolution);
  }

  /** Events a minute over the last week, and how many minutes of it are known. */
  rateOfWeek(index: number): { perMinute: number; knownMinutes: number } {
    return slowestRate(this.#at(index).state, this.resolution);
  }

  /** Whether an alarm of a side is open, or closed at most so many minutes ago. */
  hadAlarm(index: number, side: Side, withinMinutes: number): boolean {
    return hadAlarm(this.#at(index), this.resolution, side, withinMinutes);
  }

  /** Whether one closed at most so many minutes ago. */
  hadClosed(index: number, side: Side, withinMinutes: number): boolean {
    return hadClosed(this.#at(index), this.resolution, side, withinMinutes);
  }

  /** Whether nothing of the last step holds an open alarm. */
  isQuiet(index: number, side: Side): boolean {
    return this.#at(index).state.quietSteps(side) > 0;
  }

  /** Events of the step that runs, so far. */
  countOf(index: number): number {
    return this.#at(index).count;
  }

  /** Events of the steps that are kept: the longest window. */
  latestCountOf(index: number): number {
    return latestCount(this.#at(index));
  }

  /** Events that are expected of a step. */
  levelOf(index: number): number {
    return this.#at(index).state.level;
  }

  /** The least rate that is normal at a time: see `lowestRate`. */
  lowestRateOf(index: number, timeMs: number): number {
    return lowestRate(this.#at(index), this.resolution, timeMs);
  }

  /** The last minutes of each series, up to half an hour, beside what is usual of them. */
  recentCountsBy(recent: {
    side: Side;
    minutes: number;
    timeMs: number;
  }): (index: number) => RecentCounts | null {
    const { resolution } = this;
    const { side, minutes, timeMs } = recent;
    const position = seasonalPositionOf(resolution, timeMs);
    const steps = Math.max(1, Math.round(minutes / resolution.stepMinutes));
    return (index) => recentCounts(this.#at(index).state, { resolution, position, side, steps });
  }

  dispersionOf(index: number): number {
    return this.#at(index).state.dispersion;
  }

  /** The counts that would open an alarm of a series in the step that runs: see `openingCounts`. */
  openingCountsOf(index: number, timeMs: number): OpeningCounts[] {
    const tracked = this.#at(index);
    const position = seasonalPositionOf(this.resolution, timeMs);
    const context = { ...this.#calibration.contextOf(tracked, index), position };
    return openingCounts(tracked.state, context, this.#workspace);
  }

  #create(series: NewSeries, index: number): TrackedSeries {
    const { weight, isErrorSeries, mayBeOld, part = 1 } = series;
    const context = this.#calibration.contextOf({ weight, isErrorSeries, part }, index);
    const isWarm = isErrorSeries && !mayBeOld;
    const own = this.#createState();
    const state = isWarm ? createErrorSeries(context, this.#steps, own) : createSeries(context, own);
    // Of a step that runs already, a series that is not an error series may have missed a part.
    const isPartial = this.#isCoarse && !isWarm;
    return { state, weight, count: 0, lateCount: 0, hasNewCounts: false, isErrorSeries, isPartial, part };
  }

  /** States lie side by side: all of them are gone through at each step. */
  #createState(saved?: Uint8Array): SeriesState {
    return new SeriesState(saved, this.#layout, this.#memory.take());
  }

  #at(index: number): TrackedSeries {
    return this.#tracked[index] as TrackedSeries; // indices come from `add`, or are watched at a coarse step
  }
}

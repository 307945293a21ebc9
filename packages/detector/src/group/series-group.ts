import {
  type AlarmChange,
  type Exceedance,
  isOpen,
  minutesSinceOpening,
  withdrawAlarm,
} from '../series/alarm-state.ts';
import { describeRise, type EndingRise, isRiseOver, type OpenRise } from '../series/end-of-rise.ts';
import { acceptDrop, createErrorSeries } from '../series/error-series.ts';
import type { Excess } from '../series/excess.ts';
import { levelOfStep } from '../series/expect-by-day.ts';
import { mostLevel, slowestRate } from '../series/level.ts';
import { type OpeningCounts, openingCounts } from '../series/opening-counts.ts';
import { type RecentCounts, recentCounts, usualRateOf } from '../series/recent-counts.ts';
import { beginSkippedPeriods, seasonalPositionOf } from '../series/seasonality.ts';
import { createSeries, type EvaluationContext, evaluateStep } from '../series/series-detector.ts';
import { takeUneventfulSteps, uneventfulSteps } from '../series/uneventful-steps.ts';
import { createWorkspace, type Workspace } from '../series/workspace.ts';
import { MAX_COUNT } from '../state/count.ts';
import type { SavedRecords } from '../state/record-table.ts';
import { type CoarseStep, coarseResolutionOf, type Resolution, resolutionOf } from '../state/resolution.ts';
import { coarseLayoutOf, FULL_LAYOUT } from '../state/series-layout.ts';
import type { SeriesState } from '../state/series-state.ts';
import { type Side, UP } from '../state/side.ts';
import { evaluateCounts, isKnownUneventful } from './partial-evaluation.ts';
import { PostponedSteps, stepsLeftOfSlot } from './postponed-steps.ts';
import {
  addLateEvents,
  beginStep,
  closeRise,
  filledCount,
  isImportStep,
  rearmTracked,
} from './running-step.ts';
import {
  hadAlarm,
  hadClosed,
  latestCount,
  latestExcess,
  lowestRate,
  newSeriesOf,
  raiseLevelTo,
} from './series-readings.ts';
import { SeriesTable } from './series-table.ts';
import { SharedCalibration } from './shared-calibration.ts';
import type { NewSeries, TrackedSeries } from './tracked-series.ts';

/** A step with a larger unknown share counts as unknown. */
const MAX_UNKNOWN_SHARE = 0.5;

/** What of a known step is not known to single series, or not learned by them, by their index. */
interface StepParts {
  /** The share of it whose counts say nothing. */
  unknownShareOf?: ((index: number) => number) | undefined;
  isUnlearned?: ((index: number) => boolean) | undefined;
}

/** The step of a group that evaluates some of the series of another one. */
interface CoarsePart {
  stepMinutes: CoarseStep;
  /** False alarms a week. */
  budgetShareOf: (index: number) => number;
}

export interface SavedGroup {
  series: SavedRecords;
  /** Of `PooledTails`, as fitted last. */
  pooledTails: Uint8Array;
  steps: number;
  weights: number;
}

/**
 * Series that are stepped together, pool what they have shown (dispersions and tails), and share one budget of false
 * alarms. Pooling is brought up to date every quarter of an hour. A step without an event that can only be uneventful is
 * taken in when the series is needed, with the same result.
 */
export class SeriesGroup {
  readonly resolution: Resolution;
  readonly #isCoarse: boolean;
  readonly #workspace: Workspace = createWorkspace();
  readonly #series: SeriesTable;
  readonly #calibration: SharedCalibration;
  /** At coarse steps none is postponed. */
  readonly #postponed: PostponedSteps | null;
  #steps: number;
  /** The series that have counted since the last evaluation, in the order in which they did; some may be others by now. */
  #counted: number[] = [];

  /** @param step in minutes; of series that another group has at a minute, with where their share comes from */
  constructor(step: number | CoarsePart, budgetPerWeek: number, saved?: SavedGroup) {
    this.#isCoarse = typeof step !== 'number';
    this.resolution = typeof step === 'number' ? resolutionOf(step) : coarseResolutionOf(step.stepMinutes);
    const layout = typeof step === 'number' ? FULL_LAYOUT : coarseLayoutOf(step.stepMinutes);
    this.#series = new SeriesTable(layout, saved?.series);
    const shareOf = typeof step === 'number' ? null : step.budgetShareOf;
    this.#calibration = new SharedCalibration(this.resolution, { perWeek: budgetPerWeek, shareOf }, saved);
    this.#steps = saved?.steps ?? 0;
    this.#postponed = this.#isCoarse ? null : new PostponedSteps(this.#steps);
    this.#series.forEach(({ hasNewCounts }, index) => {
      if (hasNewCounts) this.#counted.push(index);
      this.#postponed?.add(index);
    });
  }

  /** @returns the index of the new series */
  add(series: NewSeries): number {
    this.#calibration.weights += series.weight;
    const index = this.#series.size;
    this.#create(index, series);
    if (this.#series.size === 2) this.pool();
    return index;
  }

  /** Gives the index of an inactive series to another one. */
  replace(index: number, series: NewSeries): void {
    this.#calibration.weights += series.weight - this.#kept(index).weight;
    this.#series.remove(index);
    this.#create(index, series);
  }

  /** Watches a series under the index that it has in the group of the minute. */
  watch(index: number, series: NewSeries): void {
    this.#create(index, series);
  }

  unwatch(index: number): void {
    this.#series.remove(index);
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
    const tracked = this.#kept(index);
    tracked.count = Math.min(MAX_COUNT, tracked.count + events);
    if (!tracked.hasNewCounts) this.#counted.push(index);
    tracked.hasNewCounts = true;
    this.#postponed?.evaluateNext(index);
  }

  /** Late events are not evaluated: they make up for what is missing in the step, and no more. */
  countLate(index: number, events: number): void {
    addLateEvents(this.#kept(index), events);
    this.#postponed?.evaluateNext(index);
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
    const { state, count } = this.#read(index);
    if (!isOpen(state, UP)) return null;
    const { resolution } = this;
    const position = seasonalPositionOf(resolution, timeMs);
    return describeRise(state, { resolution, position }, count, this.#workspace);
  }

  /** True if the steps that ended last, one of them then, say that a rise is over: see `isRiseOver`. */
  isRiseOver(index: number, timeMs: number, rise: EndingRise): boolean {
    const { resolution } = this;
    const position = seasonalPositionOf(resolution, timeMs);
    return isRiseOver(this.#read(index).state, { resolution, position }, rise, this.#workspace);
  }

  closeRise(index: number): void {
    closeRise(this.#at(index));
  }

  /** Closes a rise that is open for at most so many minutes, as if it had not been. @returns whether there was one */
  closeRiseSince(index: number, minutes: number): boolean {
    const { state } = this.#read(index);
    if (!isOpen(state, UP) || minutesSinceOpening(state, this.resolution, UP) > minutes) return false;
    this.withdrawAlarm(index, UP);
    return true;
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
    const counted = this.#takeCounted();
    if (counted.length === 0) return;
    const { resolution } = this;
    const position = seasonalPositionOf(resolution, timeMs);
    for (const index of counted) {
      const tracked = this.#series.find(index);
      if (!tracked?.hasNewCounts) continue;
      tracked.hasNewCounts = false;
      const latest = latestOf(index);
      if (isKnownUneventful(tracked, latest)) continue;
      this.#catchUp(index, tracked);
      const context = { resolution, position, latest, isErrorSeries: tracked.isErrorSeries };
      for (const change of evaluateCounts(tracked, context, this.#workspace)) report(index, change);
    }
  }

  /**
   * Ends the step that began then, for all series.
   * @param parts what of it is not known, or not learned; missing: nothing
   */
  endStep(
    timeMs: number,
    isKnown: boolean,
    report: (index: number, change: AlarmChange) => void,
    { unknownShareOf, isUnlearned }: StepParts = {},
  ): void {
    const { resolution } = this;
    const calibration = this.#calibration;
    const position = seasonalPositionOf(resolution, timeMs);
    // One object for all series: it is not kept.
    const { rarity } = calibration;
    const context: EvaluationContext = { resolution, position, pooledTails: null, budgetPerWeek: 0, rarity };
    const levelOf = (state: SeriesState) => levelOfStep(state, resolution, position, this.#workspace);
    const [tails, tailsForErrors] = [calibration.tailsFor(false), calibration.tailsFor(true)];
    const postponed = isKnown ? this.#postponed : null;
    const stepsOfSlot = postponed ? stepsLeftOfSlot(resolution, timeMs) : 0;
    for (let index = 0; index < this.#series.size; index++) {
      context.isUnlearned = isUnlearned?.(index) ?? false;
      if (!context.isUnlearned && postponed?.isPostponed(index)) continue;
      const tracked = this.#series.find(index);
      if (!tracked) continue;
      this.#catchUp(index, tracked);
      const { state } = tracked;
      context.budgetPerWeek = calibration.budgetShareOf(tracked.weight, index) * tracked.part;
      context.isErrorSeries = tracked.isErrorSeries;
      context.pooledTails = context.isErrorSeries ? tailsForErrors : tails;
      const unknownShare = unknownShareOf?.(index) ?? 0;
      const isKnownHere = isKnown && unknownShare <= MAX_UNKNOWN_SHARE;
      const count = isKnownHere ? filledCount(tracked, unknownShare, levelOf) : Number.NaN;
      context.isImport = isImportStep(tracked);
      const changes = evaluateStep(state, context, count, this.#workspace);
      tracked.uneventfulCount = -1;
      const isUneventful =
        stepsOfSlot > 0 && changes.length === 0 && !Number.isNaN(count) && !context.isUnlearned;
      const { windows } = this.#workspace;
      const { isErrorSeries } = tracked;
      const ended = { resolution, position, stepsOfSlot, windows, isErrorSeries };
      const more = isUneventful ? uneventfulSteps(state, ended) : 0;
      this.#postponed?.endOf(index, more);
      if (changes.length > 0) this.#postponed?.reportOf(index);
      for (const change of changes) report(index, change);
      beginStep(tracked);
    }
    this.#steps++;
    this.#counted = [];
    this.#postponed?.endStep(position);
    if (calibration.isDue(this.#steps)) this.pool();
  }

  /** Goes from the step that began at a time to a later one, without the steps between. */
  skip(fromMs: number, toMs: number): void {
    const states = this.indices().map((index) => this.#viewOf(index).state);
    beginSkippedPeriods(states, this.resolution, fromMs, toMs);
  }

  /** Brings what the series pool, and their shares of the budget, up to date. */
  pool(): void {
    for (const index of this.indices()) this.#at(index);
    this.#calibration.update(this.#series, this.#steps);
  }

  save(): SavedGroup {
    for (const index of this.indices()) this.#read(index).uneventfulCount = -1;
    return {
      series: this.#series.save(),
      pooledTails: this.#calibration.tailsToBytes(),
      steps: this.#steps,
      weights: this.#calibration.weights,
    };
  }

  /** The number of indices. A coarse group watches some of them. */
  get size(): number {
    return this.#series.size;
  }

  has(index: number): boolean {
    return this.#series.has(index);
  }

  /** Number of its series. */
  get seriesCount(): number {
    return this.#series.count;
  }

  /** The indices of its series. */
  indices(): number[] {
    return this.#series.indices();
  }

  /** False alarms a week, of all series. */
  get budgetPerWeek(): number {
    return this.#calibration.budgetPerWeek;
  }

  /** The share of the budget, for all steps at which the series is evaluated: false alarms a week. */
  budgetShareOf(index: number): number {
    return this.#calibration.budgetShareOf(this.#isCoarse ? 0 : this.#kept(index).weight, index);
  }

  /** How many exceedances like this one are expected a week by chance, in any series; null before the first block maximum. */
  falseAlarmsPerWeek(index: number, exceedance: Exceedance): number | null {
    return this.#calibration.falseAlarmsPerWeek(this.#read(index), index, exceedance);
  }

  isErrorSeries(index: number): boolean {
    return this.#kept(index).isErrorSeries;
  }

  /** What a series is watched with at another step: see `newSeriesOf`. */
  newSeriesOf(index: number): NewSeries {
    return newSeriesOf(this.#read(index), this.resolution);
  }

  /** Events a minute over the last week, and how many minutes and events of it are known. */
  rateOfWeek(index: number): { perMinute: number; knownMinutes: number; events: number } {
    return slowestRate(this.#read(index).state, this.resolution);
  }

  /** True if an alarm of a side is open, or closed at most so many minutes ago. */
  hadAlarm(index: number, side: Side, withinMinutes: number): boolean {
    return hadAlarm(this.#read(index), this.resolution, side, withinMinutes);
  }

  /** True if one closed at most so many minutes ago. */
  hadClosed(index: number, side: Side, withinMinutes: number): boolean {
    return hadClosed(this.#read(index), this.resolution, side, withinMinutes);
  }

  /** True if nothing of the last step holds an open alarm. */
  isQuiet(index: number, side: Side): boolean {
    return this.#read(index).state.quietSteps(side) > 0;
  }

  /** Events of the step that runs, so far. */
  countOf(index: number): number {
    return this.#kept(index).count;
  }

  /** Events of the steps that are kept: the longest window. */
  latestCountOf(index: number): number {
    return latestCount(this.#read(index));
  }

  /** The excess within these steps, by the events that are usual in one. */
  latestExcessOf(index: number, side: Side, rate: number): Excess {
    return latestExcess(this.#read(index), side, rate);
  }

  /** The rate of other days at a time, in events a step: see `usualRateOf`. */
  usualRateOf(index: number, side: Side, timeMs: number): number | null {
    const { resolution } = this;
    const position = seasonalPositionOf(resolution, timeMs);
    return usualRateOf(this.#read(index).state, { resolution, position, side });
  }

  /** Steps since its first event; one of errors counts as silent before. */
  ageOf(index: number): number {
    return this.#read(index).state.age;
  }

  /** Events that are expected of a step. */
  levelOf(index: number): number {
    return this.#read(index).state.level;
  }

  /** As many, or more: less work where nothing has come for minutes. */
  mostLevelOf(index: number): number {
    const { state } = this.#kept(index);
    const isUpToDate = this.#postponed?.isUpToDate(index) ?? true;
    return isUpToDate ? state.level : mostLevel(state, this.resolution);
  }

  /** The least rate that is normal at a time: see `lowestRate`. */
  lowestRateOf(index: number, timeMs: number): number {
    return lowestRate(this.#read(index), this.resolution, timeMs);
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
    return (index) => recentCounts(this.#read(index).state, { resolution, position, side, steps });
  }

  dispersionOf(index: number): number {
    return this.#read(index).state.dispersion;
  }

  /** The counts that would open an alarm of a series in the step that runs: see `openingCounts`. */
  openingCountsOf(index: number, timeMs: number): OpeningCounts[] {
    const tracked = this.#read(index);
    const position = seasonalPositionOf(this.resolution, timeMs);
    const context = { ...this.#calibration.contextOf(tracked, index), position };
    return openingCounts(tracked.state, context, this.#workspace);
  }

  #create(index: number, { weight, isErrorSeries, mayBeOld, part = 1 }: NewSeries): void {
    const isWarm = isErrorSeries && !mayBeOld;
    // Of a step that runs already, a series that is not an error series may have missed a part.
    const isPartial = this.#isCoarse && !isWarm;
    const fields = { weight, part, isErrorSeries, isPartial };
    const { state } = this.#series.add(index, fields);
    const context = this.#calibration.contextOf(fields, index);
    if (isWarm) createErrorSeries(context, this.#steps, state);
    else createSeries(context, state);
    this.#postponed?.add(index);
  }

  /** In ascending order. */
  #takeCounted(): number[] {
    const counted = this.#counted.sort((a, b) => a - b);
    this.#counted = [];
    return counted;
  }

  /** The same as `#at` beside others. */
  #viewOf(index: number): TrackedSeries {
    this.#postponed?.evaluateNext(index);
    const tracked = this.#series.viewOf(index);
    this.#catchUp(index, tracked);
    tracked.uneventfulCount = -1;
    return tracked;
  }

  /** A series that may change, or be counted, in the step that runs: it is evaluated at the end of it. */
  #at(index: number): TrackedSeries {
    this.#postponed?.evaluateNext(index);
    const tracked = this.#read(index);
    tracked.uneventfulCount = -1;
    return tracked;
  }

  /** A series whose state holds all steps that have ended, to be read. */
  #read(index: number): TrackedSeries {
    const tracked = this.#kept(index);
    this.#catchUp(index, tracked);
    return tracked;
  }

  /** A series whose state may lack the last steps, all without an event. */
  #kept(index: number): TrackedSeries {
    return this.#series.at(index); // indices come from `add`, or are watched at a coarse step
  }

  /** Takes in the steps that have ended without an event since the state took one in: see `uneventfulSteps`. */
  #catchUp(index: number, tracked: TrackedSeries): void {
    const lacking = this.#postponed?.take(index);
    if (!lacking) return;
    const place = { resolution: this.resolution, position: lacking.position };
    takeUneventfulSteps(tracked.state, place, lacking.steps, this.#workspace);
  }
}

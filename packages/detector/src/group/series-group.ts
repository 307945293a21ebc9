import type { AlarmChange, Exceedance } from '../series/alarm-state.ts';
import { createErrorSeries } from '../series/error-series.ts';
import { type OpeningCounts, openingCounts } from '../series/opening-counts.ts';
import { seasonalPositionOf } from '../series/seasonal-position.ts';
import { beginSkippedPeriods } from '../series/seasonality.ts';
import { createSeries } from '../series/series-detector.ts';
import { MAX_COUNT } from '../state/count.ts';
import type { SavedRecords } from '../state/record-table.ts';
import { type CoarseStep, coarseResolutionOf, type Resolution, resolutionOf } from '../state/resolution.ts';
import { endStepOfAll, type StepParts } from './ended-step.ts';
import { addLateEvents, evaluateCounts, isKnownUneventful } from './running-step.ts';
import { SeriesTable } from './series-table.ts';
import { type SavedCalibration, SharedCalibration } from './shared-calibration.ts';
import type { NewSeries } from './tracked-series.ts';

type Report = (index: number, change: AlarmChange) => void;

/** Step of a group that evaluates some of the series of another one, with the budget shares that they have there. */
interface CoarsePart {
  stepMinutes: CoarseStep;
  /** False alarms a week. */
  budgetShareOf: (index: number) => number;
}

export interface SavedGroup extends SavedCalibration {
  series: SavedRecords;
  steps: number;
}

/**
 * Series that are stepped together, pool their dispersions and tails, and share one budget of false alarms. Dispersions are
 * pooled every quarter of an hour, tails every hour, at coarse steps all of it every six hours. Thresholds are fitted with the tails,
 * and those of series less than a day old with the dispersions: a changed share of the budget holds from the next fit on.
 */
export class SeriesGroup {
  readonly resolution: Resolution;
  readonly series: SeriesTable;
  readonly #calibration: SharedCalibration;
  #steps: number;
  /** Indices of series that have counted since the last evaluation, in that order; some may belong to others by now. */
  #counted: number[] = [];

  /** @param step minutes, or that of series which another group has at a minute */
  constructor(step: number | CoarsePart, budgetPerWeek: number, saved?: SavedGroup) {
    const isCoarse = typeof step !== 'number';
    this.resolution = isCoarse ? coarseResolutionOf(step.stepMinutes) : resolutionOf(step);
    const budget = { perWeek: budgetPerWeek, shareOf: isCoarse ? step.budgetShareOf : null };
    this.#calibration = new SharedCalibration(this.resolution, budget, saved);
    this.#steps = saved?.steps ?? 0;
    this.series = new SeriesTable(this.resolution, saved?.series, this.#steps);
    this.series.forEach(({ hasNewCounts }, index) => {
      if (hasNewCounts) this.#counted.push(index);
    });
  }

  /** @returns the index of the new series */
  add(series: NewSeries): number {
    const index = this.series.size;
    this.#calibration.weights += series.weight;
    this.watch(index, series);
    if (this.series.size === 2) this.pool();
    return index;
  }

  /** Gives the index of an inactive series to another one. */
  replace(index: number, series: NewSeries): void {
    this.#calibration.weights += series.weight - this.series.peek(index).weight;
    this.series.remove(index);
    this.watch(index, series);
  }

  /** Watches a series under an index, at a coarse step the one that it has in the group of the minute. */
  watch(index: number, { weight, isErrorSeries, mayBeOld, part = 1 }: NewSeries): void {
    const isWarm = isErrorSeries && !mayBeOld;
    // A series that is not warm-started may have missed a part of a coarse step.
    const isPartial = this.resolution.isCoarse && !isWarm;
    const fields = { weight, part, isErrorSeries, isPartial };
    const { state } = this.series.add(index, fields);
    const context = this.#calibration.contextOf(fields, index);
    if (isWarm) createErrorSeries(context, this.#steps, state);
    else createSeries(context, state);
  }

  setWeight(index: number, weight: number): void {
    const tracked = this.series.change(index);
    this.#calibration.weights += weight - tracked.weight;
    tracked.weight = weight;
  }

  setBudget(budgetPerWeek: number): void {
    this.#calibration.budgetPerWeek = budgetPerWeek;
    this.pool();
  }

  count(index: number, events: number): void {
    const tracked = this.series.peek(index);
    tracked.count = Math.min(MAX_COUNT, tracked.count + events);
    if (!tracked.hasNewCounts) this.#counted.push(index);
    tracked.hasNewCounts = true;
    this.series.postponed?.evaluateNext(index);
  }

  countLate(index: number, events: number): void {
    addLateEvents(this.series.peek(index), events);
    this.series.postponed?.evaluateNext(index);
  }

  /**
   * Evaluates the series that have counted since the last time, within the running step: see `evaluatePartialStep`.
   * @param latestOf events of the last time that is as long as a step
   */
  evaluatePartialStep(timeMs: number, report: Report, latestOf: (index: number) => number = () => 0): void {
    const counted = this.#counted.sort((a, b) => a - b);
    this.#counted = [];
    if (counted.length === 0) return;
    const { resolution, series } = this;
    const position = seasonalPositionOf(resolution, timeMs);
    for (const index of counted) {
      const tracked = series.find(index);
      if (!tracked?.hasNewCounts) continue;
      tracked.hasNewCounts = false;
      const latest = latestOf(index);
      if (isKnownUneventful(tracked, latest)) continue;
      series.catchUp(index, tracked);
      const context = { resolution, position, latest, isErrorSeries: tracked.isErrorSeries };
      for (const change of evaluateCounts(tracked, context, series.workspace)) report(index, change);
    }
  }

  /** Ends the step that began then, for all series. */
  endStep(timeMs: number, isKnown: boolean, report: Report, parts: StepParts = {}): void {
    endStepOfAll(this.series, this.#calibration, { timeMs, isKnown, report, ...parts });
    this.#steps++;
    this.#counted = [];
    if (this.#calibration.isDue(this.#steps)) this.pool(this.#calibration.areTailsDue(this.#steps));
  }

  /** Goes from the step that began at a time to a later one, without the steps between. */
  skip(fromMs: number, toMs: number): void {
    for (const index of this.series.indices())
      beginSkippedPeriods(this.series.change(index).state, this.resolution, fromMs, toMs);
  }

  /** Brings what the series pool, and the thresholds of all or of young series alone, up to date. */
  pool(ofAll = true): void {
    for (const index of this.series.indices()) this.series.change(index);
    this.#calibration.update(this.series, this.#steps, ofAll);
  }

  save(): SavedGroup {
    return { series: this.series.save(), steps: this.#steps, ...this.#calibration.save() };
  }

  /** False alarms a week, of all series. */
  get budgetPerWeek(): number {
    return this.#calibration.budgetPerWeek;
  }

  /** Returns the share of the budget, for all steps at which the series is evaluated: false alarms a week. */
  budgetShareOf(index: number): number {
    return this.#calibration.budgetShareOf(this.series.peek(index).weight, index);
  }

  /** Returns how many exceedances like this one chance brings a week, in any series; null before the first block maximum. */
  falseAlarmsPerWeek(index: number, exceedance: Exceedance): number | null {
    return this.#calibration.falseAlarmsPerWeek(this.series.read(index), index, exceedance);
  }

  /** Returns the counts that would open an alarm of a series in the running step: see `openingCounts`. */
  openingCountsOf(index: number, timeMs: number): OpeningCounts[] {
    const tracked = this.series.read(index);
    const position = seasonalPositionOf(this.resolution, timeMs);
    const context = { ...this.#calibration.contextOf(tracked, index), position };
    return openingCounts(tracked.state, context, this.series.workspace);
  }

  /** Returns the events of the running step, so far. */
  countOf(index: number): number {
    return this.series.peek(index).count;
  }

  /** Returns the expected events of a step. */
  levelOf(index: number): number {
    return this.series.read(index).state.level;
  }

  /** Returns the least rate that is normal at a time, in events a minute. */
  lowestRateOf(index: number, timeMs: number): number {
    return this.series.read(index).lowestRate(timeMs);
  }
}

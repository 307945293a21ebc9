import type { AllStates } from '../calibration/level-bins.ts';
import { poolDispersion } from '../calibration/pooled-dispersion.ts';
import { PooledTails, type SavedTails } from '../calibration/pooled-tails.ts';
import { rarityOf } from '../calibration/rare-budgets.ts';
import {
  type CalibrationContext,
  falseAlarmsPerWeek,
  fittedThreshold,
  type PooledTailSource,
  warmUpBudget,
} from '../calibration/thresholds.ts';
import { fitWindowTail, PRIOR_MAXIMA } from '../calibration/window-tail.ts';
import type { Exceedance } from '../series/alarm-state.ts';
import { recalibrate } from '../series/series-detector.ts';
import { MINUTES_PER_DAY, type Resolution } from '../state/resolution.ts';
import type { TrackedSeries } from './tracked-series.ts';

const POOLING_MINUTES = 15;
/** Tails change less often than dispersions: with the block maxima. */
const TAIL_POOLING_MINUTES = 60;
/** Coarse steps change less often, and pooling takes as long for them as for all series. */
const COARSE_POOLING_MINUTES = 360;

/** Fields of a series that its thresholds depend on. */
type Calibrated = Pick<TrackedSeries, 'weight' | 'isErrorSeries' | 'part'>;

/** Series of a group, in the order of their indices. Each is valid until the next one. */
interface AllSeries {
  forEach: (take: (tracked: TrackedSeries, index: number) => void) => void;
}

export interface SavedCalibration {
  pooledTails: SavedTails;
  weights: number;
}

/** Shared values of the series of a group: a budget of false alarms, and the tails and dispersions that they pool. */
export class SharedCalibration {
  readonly #resolution: Resolution;
  /** Share of a series in the budget by its group of the minute, at coarse steps; null at minutes. */
  readonly #budgetShareOf: ((index: number) => number) | null;
  readonly #pooledTails: PooledTails;
  /** False alarms a week of all series, at all steps. */
  budgetPerWeek: number;
  /** Sum of the weights of the series. */
  weights: number;

  constructor(
    resolution: Resolution,
    budget: { perWeek: number; shareOf: ((index: number) => number) | null },
    saved?: SavedCalibration,
  ) {
    this.#resolution = resolution;
    this.#budgetShareOf = budget.shareOf;
    this.budgetPerWeek = budget.perWeek;
    this.#pooledTails = new PooledTails(saved?.pooledTails);
    this.weights = saved?.weights ?? 0;
  }

  /** Returns the share of a series in the budget, for all steps at which it is evaluated: false alarms a week. */
  budgetShareOf(weight: number, index: number): number {
    return this.#budgetShareOf ? this.#budgetShareOf(index) : (this.budgetPerWeek * weight) / this.weights;
  }

  get rarity(): number {
    return rarityOf(this.budgetPerWeek);
  }

  contextOf({ weight, isErrorSeries, part }: Calibrated, index: number): CalibrationContext {
    const pooledTails = this.tailsFor(isErrorSeries);
    const budgetPerWeek = this.budgetShareOf(weight, index) * part;
    return { resolution: this.#resolution, pooledTails, budgetPerWeek, rarity: this.rarity, isErrorSeries };
  }

  /** Returns null where a series has to show its tail by itself: errors do until the project's maxima outweigh the prior. */
  tailsFor(isErrorSeries: boolean): PooledTailSource | null {
    const tails = this.#pooledTails;
    return tails.isPooling && (!isErrorSeries || tails.rises >= PRIOR_MAXIMA) ? tails : null;
  }

  /** True if pooling is due after so many steps. */
  isDue(steps: number): boolean {
    return this.#isEvery(this.#resolution.isCoarse ? COARSE_POOLING_MINUTES : POOLING_MINUTES, steps);
  }

  /** True if the tails are to be fitted again after so many steps. */
  areTailsDue(steps: number): boolean {
    return this.#isEvery(TAIL_POOLING_MINUTES, steps);
  }

  /**
   * Brings pooling, and the thresholds of all series, up to date after so many steps; or those of series less than a day old alone,
   * whose budget grows from hour to hour.
   */
  update(series: AllSeries, steps: number, ofAll: boolean): void {
    this.weights = 0;
    let number = 0;
    series.forEach(({ weight }) => {
      this.weights += weight;
      number++;
    });
    if (number > 1) {
      const states: AllStates = { forEach: (take) => series.forEach(({ state }) => take(state)) };
      this.#pooledTails.isPooling = true;
      if (this.areTailsDue(steps)) this.#pooledTails.fit(states, this.#resolution);
      poolDispersion(states);
    }
    series.forEach((tracked, index) => {
      if (ofAll || tracked.state.age * this.#resolution.stepMinutes < MINUTES_PER_DAY)
        recalibrate(tracked.state, this.contextOf(tracked, index));
    });
  }

  /** Returns how many exceedances like this one chance brings a week, in any series; null before the first block maximum. */
  falseAlarmsPerWeek(
    tracked: TrackedSeries,
    index: number,
    { side, window, evidence, openThreshold }: Exceedance,
  ): number | null {
    const { state } = tracked;
    const context = this.contextOf(tracked, index);
    const { resolution, pooledTails, budgetPerWeek, rarity } = context;
    const pooledTail = pooledTails?.of(state, side, window) ?? null;
    if (!pooledTail?.count && state.blocks(side) === 0) return null;
    const tail = fitWindowTail(state, resolution, { side, window, pooledTail });
    const ofNow = { ...context, budgetPerWeek: warmUpBudget(state, context) };
    const raised = rarity === 1 ? 1 : Math.max(1, openThreshold / fittedThreshold(tail, ofNow));
    const rate = falseAlarmsPerWeek(tail, resolution, evidence / raised);
    return (rate * this.budgetPerWeek) / budgetPerWeek;
  }

  save(): SavedCalibration {
    return { pooledTails: this.#pooledTails.save(), weights: this.weights };
  }

  #isEvery(minutes: number, steps: number): boolean {
    return steps % Math.max(1, Math.round(minutes / this.#resolution.stepMinutes)) === 0;
  }
}

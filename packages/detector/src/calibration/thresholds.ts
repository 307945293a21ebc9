import { MINUTES_PER_WEEK, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import type { Side } from '../state/side.ts';
import { paretoExponent, paretoQuantile } from './gumbel-tail.ts';
import { largestUsual, predictiveFactorOf, usualFactor } from './rare-budgets.ts';
import { fitWindowTail, type PooledTail, priorOf, type WindowTail } from './window-tail.ts';

/** An alarm is held down to this share of the way from the location to the open threshold (hysteresis). */
export const HOLD_SHARE = 0.4;
const WARM_UP_SHARE = 0.25;

/** Pooled tails of a project, for each series those of series of a similar level. */
export interface PooledTailSource {
  /** Returns a tail that is valid until the next call. */
  of: (state: SeriesState, side: Side, window: number) => PooledTail;
}

/** Values that the thresholds of a series follow from, beside its state. */
export interface CalibrationContext {
  resolution: Resolution;
  /** Null for a series that is alone, and until a project has enough maxima. */
  pooledTails: PooledTailSource | null;
  /** The series' share of the project's budget: false alarms a week. */
  budgetPerWeek: number;
  /** See `rarityOf`; missing: 1. */
  rarity?: number;
  isErrorSeries?: boolean | undefined;
}

/** Returns the part of its budget that a series has in its first week: its counts so far underestimate those to come. */
export function warmUpShare(ageMinutes: number): number {
  return Math.min(1, WARM_UP_SHARE + (1 - WARM_UP_SHARE) * (ageMinutes / MINUTES_PER_WEEK));
}

export function warmUpBudget(
  state: SeriesState,
  { resolution, budgetPerWeek }: Pick<CalibrationContext, 'resolution' | 'budgetPerWeek'>,
): number {
  return budgetPerWeek * warmUpShare(state.age * resolution.stepMinutes);
}

/**
 * Sets the thresholds of a side for a budget of false alarms a week, in which each window of each side has the same
 * share: the evidence whose chance in a block is the share times the blocks' length in weeks.
 * @param budgetPerWeek present budget; missing: that of the context
 */
export function calibrateThresholds(
  state: SeriesState,
  side: Side,
  { resolution, pooledTails, budgetPerWeek: share, rarity = 1, isErrorSeries = false }: CalibrationContext,
  budgetPerWeek = share,
): void {
  const prior = priorOf(state, resolution, side);
  const exponent = exponentOf(budgetPerWeek, prior, resolution);
  const predictive = predictiveFactorOf(state, resolution, { rarity, isErrorSeries });
  const usual = usualFactor(rarity);
  for (let window = 0; window < resolution.windows.length; window++) {
    const pooledTail = pooledTails?.of(state, side, window) ?? null;
    const tail = fitWindowTail(state, resolution, { side, window, pooledTail }, prior);
    const y = paretoQuantile(tail.shape, exponent);
    const fitted = (tail.location + tail.scale * y) ** (1 / tail.power);
    const open = predictive * Math.max(fitted, usual * largestUsual(state, side, window));
    const hold = (tail.location + tail.scale * HOLD_SHARE * y) ** (1 / tail.power);
    state.setThresholds(side, window, open, hold * (open / fitted));
  }
}

/** Returns −ln of the chance in a block that the share of one window in a budget allows. */
function exponentOf(
  budgetPerWeek: number,
  { blockMinutes }: { blockMinutes: number },
  { windows }: Resolution,
): number {
  return -Math.log(Math.min(0.5, (budgetPerWeek * blockMinutes) / (MINUTES_PER_WEEK * 2 * windows.length)));
}

/** Returns the open threshold that follows from a tail alone, without the additions for a rare budget. */
export function fittedThreshold(
  tail: WindowTail,
  { resolution, budgetPerWeek }: Pick<CalibrationContext, 'resolution' | 'budgetPerWeek'>,
): number {
  const y = paretoQuantile(tail.shape, exponentOf(budgetPerWeek, tail, resolution));
  return (tail.location + tail.scale * y) ** (1 / tail.power);
}

/** Returns how many false alarms a week this evidence stands for, over all windows of both sides: a rate, which may exceed 1. */
export function falseAlarmsPerWeek(tail: WindowTail, { windows }: Resolution, evidence: number): number {
  const variate = (evidence ** tail.power - tail.location) / tail.scale;
  const chance = Math.exp(-paretoExponent(tail.shape, variate));
  return (chance * MINUTES_PER_WEEK * 2 * windows.length) / tail.blockMinutes;
}

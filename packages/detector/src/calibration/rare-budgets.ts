import { EVIDENCE } from '../state/log-code.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import type { Side } from '../state/side.ts';
import { DEFAULT_SETTINGS } from '../types.ts';

/*
 * Budgets below the default ask for thresholds that are exceeded less often than a series has been watched: one false
 * incident in five weeks of 45 series, by the maxima of a day or two weeks. They have to allow for the uncertainty of the
 * fit.
 */

/** Returns how many times rarer false incidents are to be than by default; 1 where they may be as frequent, or more. */
export function rarityOf(projectBudgetPerWeek: number): number {
  return Math.max(1, DEFAULT_SETTINGS.budget / projectBudgetPerWeek);
}

/** Maximum days that count: the maxima go back two weeks. */
const MAX_DAYS = 14;
/** Information before the first day is over, in days. */
const PRIOR_DAYS = 0.25;

/**
 * Returns the factor by which the uncertainty of a tail raises a threshold beyond that of the default budget: r^(1/d), r the rarity
 * and d the days. An exponential tail whose scale is estimated from d observations has the predictive distribution
 * (1 + x/(d·σ))^−d (Aitchison & Dunsmore, 1975), a Pareto tail of index d: what is r times as rare is r^(1/d) times as
 * large. The observations are days: the minutes of one say nothing of how days differ. For one false incident in five
 * weeks it is 1.12 after two weeks, 3.6 on the second day and 625 on the first, when no time of the day is known.
 * Domain: r ≥ 1, days ≥ 0. Error: the limit for x ≫ d·σ, above the exact ratio elsewhere.
 */
export function predictiveFactor(rarity: number, days: number): number {
  return rarity === 1 ? 1 : rarity ** (1 / (PRIOR_DAYS + Math.min(MAX_DAYS, Math.floor(days))));
}

/**
 * Returns `predictiveFactor` by the age of a series. An error series counts as silent before its first event, by day and by
 * night: it begins with a day.
 */
export function predictiveFactorOf(
  { age }: SeriesState,
  { stepMinutes }: Resolution,
  { rarity, isErrorSeries }: { rarity: number; isErrorSeries: boolean },
): number {
  const days = (age * stepMinutes) / MINUTES_PER_DAY;
  return predictiveFactor(rarity, isErrorSeries ? Math.max(1, days) : days);
}

/**
 * Minimum ratio of a threshold to the largest usual evidence, for a budget of a fifth of the default; 0 at the default. The next
 * variate of an exponential tail exceeds F times the largest of N with the chance Γ(F + 1)·N!/Γ(N + F + 1), 1 in 680 for F = 3
 * and the 14 steps of a level in two weeks. Chosen on simulated levels that step.
 */
const USUAL_FACTOR = 3;
const FACTOR_PER_NAT = USUAL_FACTOR / Math.log(5);

export function usualFactor(rarity: number): number {
  return FACTOR_PER_NAT * Math.log(rarity);
}

/** Minutes in which the largest usual evidence fades by one code, 4.6%: in two weeks to e⁻¹. */
const FADING_MINUTES = (2 * MINUTES_PER_WEEK) / EVIDENCE.codesPerNat;

/** Block that ends now. */
interface EndedBlock {
  side: Side;
  steps: number;
  /** True if an alarm of the side, or a recovery, opened in it. */
  hadAlarm: boolean;
}

/**
 * Records the largest evidence of each window that opened nothing, which fades within two weeks. A block counts once the one
 * after it has ended as well: trouble that grows is not compared with its own beginning. The state still has the maxima of
 * the block that ends.
 */
export function recordUsual(
  state: SeriesState,
  { stepMinutes }: Resolution,
  { side, steps, hadAlarm }: EndedBlock,
): void {
  const fadings = (age: number) => Math.floor((age * stepMinutes) / FADING_MINUTES);
  const faded = fadings(state.age) - fadings(state.age - steps);
  for (let window = 0; window < state.usualWindows; window++) {
    const kept = Math.max(0, state.largestUsual(side, window) - faded);
    const former = hadAlarm ? 0 : state.newestUsual(side, window);
    const ended = hadAlarm ? 0 : EVIDENCE.encode(state.blockMaximum(side, window));
    state.setUsual(side, window, { largest: Math.max(kept, former), newest: ended });
  }
}

/** Returns the largest evidence of the last two weeks that opened nothing; 0 where none is kept, as of coarse steps. */
export function largestUsual(state: SeriesState, side: Side, window: number): number {
  return window >= state.usualWindows ? 0 : EVIDENCE.decode(state.largestUsual(side, window));
}

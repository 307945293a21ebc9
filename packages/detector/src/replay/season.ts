import type { Expectation } from '../series/workspace.ts';
import { isCount } from '../state/count.ts';
import { MAX_SLOTS, MINUTES_PER_DAY, type Resolution, resolutionOf } from '../state/resolution.ts';

/** A seasonal period other than the day, for past counts of few and long steps: weeks of a year, days of a week. */
export interface Season {
  /** Steps of a period, at most `MAX_SLOTS`. */
  steps: number;
  /** Number of steps before and after the same one of earlier periods that are compared as well. */
  reach: number;
  /** Maximum earlier periods that are compared. */
  periods: number;
}

/** Minimum past steps of an expectation, or half of the reference steps where these are fewer. */
const MAX_MIN_PAST_STEPS = 20;
/** Weight of the prior of the trend, in events times the dispersion. */
const TREND_PRIOR_EVENTS = 20;
/** Last steps that are left out of the trend: they may belong to the trouble. */
const TREND_GAP_STEPS = 4;

/**
 * Returns the resolution of a series with a season: time is scaled so that a period is a day, and memories span as many periods
 * as they else span days. Steps are evaluated one by one: longer trouble shows in each.
 */
export function resolutionOfSeason({ steps, reach, periods }: Season): Resolution {
  if (!Number.isInteger(steps) || steps < 2 || steps > MAX_SLOTS)
    throw new RangeError(`A season has 2 to ${MAX_SLOTS} steps.`);
  if (!Number.isInteger(reach) || reach < 0 || 2 * reach >= steps)
    throw new RangeError('The reach of a season is less than half of its steps.');
  if (!Number.isInteger(periods) || periods < 1)
    throw new RangeError('A season is compared with at least one period before.');
  return { ...resolutionOf(MINUTES_PER_DAY / steps), windows: [1], firstLongWindow: 0 };
}

/**
 * Expectation by past counts of the same season: the mean of the reference steps of Farrington et al. (1996), the same one of
 * each period with its neighbours, times a trend. The trend is the sum of the last period over the sum of such means of its
 * steps, shrunk towards 1 as by 20φ events; both means lie as far back, so a log-linear trend leaves no bias. (Farrington
 * fits a regression on time instead.)
 */
export class SeasonalHistory {
  readonly #season: Season;
  readonly #counts: number[] = [];
  /** Means of the reference steps by step; NaN: there were too few. */
  readonly #means: number[] = [];

  constructor(season: Season) {
    this.#season = season;
  }

  /** Takes the count of a step that is over; NaN, or anything else that is no count, where it is not known. */
  add(count: number): void {
    this.#means.push(this.#reference().mean);
    this.#counts.push(isCount(count) ? count : Number.NaN);
  }

  /** Returns the expectation of the next step; null where too little is known. */
  expect(dispersion: number): Expectation | null {
    const { mean, events } = this.#reference();
    if (Number.isNaN(mean)) return null;
    const prior = TREND_PRIOR_EVENTS * dispersion;
    let [seen, expected] = [prior, prior];
    const until = this.#counts.length - TREND_GAP_STEPS;
    for (let step = Math.max(0, until - this.#season.steps); step < until; step++) {
      const [count, meanOfStep] = [this.#counts[step] ?? Number.NaN, this.#means[step] ?? Number.NaN];
      if (Number.isNaN(count + meanOfStep)) continue;
      seen += count;
      expected += meanOfStep;
    }
    // The relative variances of both add up; half an event keeps events possible that were never seen.
    const shape = 1 / (1 / (events + 0.5) + (expected > prior ? 1 / seen : 0));
    return { rate: Math.max(0.5 / MAX_MIN_PAST_STEPS, mean) * (seen / expected), shape };
  }

  #reference(): { mean: number; events: number } {
    const { steps, reach, periods } = this.#season;
    const now = this.#counts.length;
    let [events, known] = [0, 0];
    for (let period = 1; period <= periods; period++) {
      for (let near = -reach; near <= reach; near++) {
        const count = this.#counts[now - period * steps + near];
        if (count === undefined || Number.isNaN(count)) continue;
        events += count;
        known++;
      }
    }
    const enough = Math.min(MAX_MIN_PAST_STEPS, (periods * (2 * reach + 1)) / 2);
    return { mean: known < enough ? Number.NaN : events / known, events };
  }
}

import { BASELINES } from '../baselines.ts';
import { farringtonScores } from './farrington.ts';

const MINUTES_A_DAY = 1_440;
const DAYS_A_WEEK = 7;
/** Lower bound of a deviation that a rule divides by. */
const MIN_DEVIATION = 0.5;
/** A normal deviate is so many of these medians. */
const MAD_TO_DEVIATION = 1.4826;

/** Alarm as a person would configure it: a statistic of each step, in both directions, to compare with a threshold. */
export interface Rule {
  name: string;
  scores: (counts: readonly number[], stepMinutes: number) => number[];
}

export const RULES: Rule[] = [
  { name: 'fixed', scores: fixedScores },
  { name: 'EWMA z, 1/5', scores: (counts) => movingScores(counts, 1 / 5) },
  { name: 'EWMA z, 1/20', scores: (counts) => movingScores(counts, 1 / 20) },
  { name: 'median ± k·MAD, 7 days', scores: medianScores },
  { name: 'last week’s hour', scores: lastWeekScores },
  { name: 'EARS C2', scores: baselineScores('EARS C2') },
  { name: 'Farrington, trend', scores: farringtonScores },
  { name: 'ratio to the last hour', scores: lastHourScores },
  { name: 'ratio to 60 steps', scores: baselineScores('ratio to the median, 1 h') },
];

/** By the mean and the deviation of the first week, as a person who looks at it would set a threshold for good. */
function fixedScores(counts: readonly number[], stepMinutes: number): number[] {
  const week = counts.slice(0, (DAYS_A_WEEK * MINUTES_A_DAY) / stepMinutes);
  const mean = meanOf(week);
  const deviation = Math.max(MIN_DEVIATION, Math.sqrt(meanOf(week.map((count) => (count - mean) ** 2))));
  return counts.map((count) => Math.abs(count - mean) / deviation);
}

/** An exponentially weighted mean, and the variance around it. */
function movingScores(counts: readonly number[], weight: number): number[] {
  let [mean, variance] = [counts[0] ?? 0, 0];
  return counts.map((count) => {
    const difference = count - mean;
    const score = Math.abs(difference) / Math.max(MIN_DEVIATION, Math.sqrt(variance));
    mean += weight * difference;
    variance = (1 - weight) * (variance + weight * difference * difference);
    return score;
  });
}

/** Against the same time of seven days; the deviation is at least that of Poisson counts. */
function medianScores(counts: readonly number[], stepMinutes: number): number[] {
  const day = MINUTES_A_DAY / stepMinutes;
  return counts.map((count, step) => {
    const past = Array.from({ length: DAYS_A_WEEK }, (_, back) => counts[step - (back + 1) * day] ?? 0);
    if (step < DAYS_A_WEEK * day) return 0;
    const median = middleOf(past);
    const spread = MAD_TO_DEVIATION * middleOf(past.map((value) => Math.abs(value - median)));
    return Math.abs(count - median) / Math.max(MIN_DEVIATION, spread, Math.sqrt(median));
  });
}

/** Against the mean of the hour around the same time of last week, in units of Poisson counts. */
function lastWeekScores(counts: readonly number[], stepMinutes: number): number[] {
  const week = (DAYS_A_WEEK * MINUTES_A_DAY) / stepMinutes;
  const around = Math.floor(30 / stepMinutes);
  return counts.map((count, step) => {
    if (step < week + around) return 0;
    const usual = meanOf(counts.slice(step - week - around, step - week + around + 1));
    return Math.abs(count - usual) / Math.max(MIN_DEVIATION, Math.sqrt(usual));
  });
}

/** The count over the mean of the hour before, or the other way round. */
function lastHourScores(counts: readonly number[], stepMinutes: number): number[] {
  const steps = 60 / stepMinutes;
  return counts.map((count, step) => {
    if (step < steps) return 0;
    const usual = Math.max(MIN_DEVIATION, meanOf(counts.slice(step - steps, step)));
    const now = Math.max(MIN_DEVIATION, count);
    return Math.max(now / usual, usual / now);
  });
}

function baselineScores(baseline: string): Rule['scores'] {
  const found = BASELINES.find(({ name }) => name === baseline);
  if (!found) throw new Error(`There is no baseline ${baseline}.`);
  return (counts) => {
    const state = found.create();
    return counts.map((count) => Math.max(...found.score(state, count)));
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Returns the median of an odd number of values. */
function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

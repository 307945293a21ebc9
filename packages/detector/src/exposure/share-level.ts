import { DISPERSION_PRIOR_EVENTS } from '../calibration/pooled-dispersion.ts';
import { DEVIATION_LIMIT } from '../series/dispersion.ts';
import { logLikelihoodRatio } from '../series/evidence.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import { type Outcomes, toLogOdds, toShare, type UsualShare } from './share-evidence.ts';
import {
  BIN_MINUTES,
  BINS,
  cellOfBin,
  cellOfMinute,
  RING_MINUTES,
  SHARE_MEMORIES,
  type ShareState,
  SPANS,
  type UsualLogOdds,
} from './share-state.ts';

const MEMORY_MINUTES = [30, 120, 480, MINUTES_PER_DAY, MINUTES_PER_WEEK];
const DAY = MEMORY_MINUTES.indexOf(MINUTES_PER_DAY);
/** Before anything is known: half a failure among fifty. */
const PRIOR_FAILURES = 0.5;
const PRIOR_TRIALS = 50;
/** Against log odds without bounds. */
const MIN_SHARE = 1e-6;

/** Until it has shown otherwise, for which it takes about ten spans, the share wanders by σ = 0.28. */
const PRIOR_WANDERING = 0.08;
const PRIOR_SPANS = 10;
/** No share is steadier than σ = 0.07, and none wanders by more than σ = 2. */
const MIN_WANDERING = 0.005;
const MAX_WANDERING = 4;
/** The spans over which wandering is measured, in bins and in minutes. */
const SPAN_BINS = [1, 3, BINS - 1];
const SPAN_MINUTES = SPAN_BINS.map((bins) => bins * BIN_MINUTES);
/** A deviation counts for at most `DEVIATION_LIMIT` times its variance, that of half a failure at least. */
const MIN_VARIANCE = 0.5;
const DISPERSION_DECAY = Math.exp(-1 / MINUTES_PER_WEEK);

/**
 * Part of the wandering that is left where a window begins within a bin: it is measured from the beginnings of bins. Chosen on
 * simulated payments of 1 to 100 a minute that wander.
 */
const REMAINING_WANDERING = 0.85;

/** Poisson counts are negative binomial ones of a size without bounds. */
const MIN_EXCESS_DISPERSION = 1e-6;

/**
 * What is usual from now on: a beta–binomial model with discounting (West & Harrison, 1997), with
 * one memory the prior of the next faster one. A slower memory is worth as many failures as it takes to be as uncertain as
 * the share wanders: where many trials come the share is followed within the hour, and where few come it is that of days.
 */
export function predictShare(state: ShareState): UsualLogOdds {
  const slowest = SHARE_MEMORIES - 1;
  let { failures, share } = ofWeek(state);
  const maxWeight = 1 / wanderingOf(state, SPANS - 1);
  for (let i = slowest - 1; i >= 0; i--) {
    const weight = Math.min(maxWeight, failures);
    failures = weight + state.sumOfFailures(i);
    share = failures / (weight / share + state.sumOfTrials(i));
  }
  const bounded = bound(share);
  return { logOdds: toLogOdds(bounded), variance: 1 / (failures * (1 - bounded)) };
}

/** Of the slowest memory alone. */
export function logOddsOfWeek(state: ShareState): number {
  return toLogOdds(bound(ofWeek(state).share));
}

function ofWeek(state: ShareState): { failures: number; share: number } {
  const slowest = SHARE_MEMORIES - 1;
  const failures = PRIOR_FAILURES + state.sumOfFailures(slowest);
  return { failures, share: failures / (PRIOR_TRIALS + state.sumOfTrials(slowest)) };
}

function bound(share: number): number {
  return Math.min(1 - MIN_SHARE, Math.max(MIN_SHARE, share));
}

/** Returns what was usual when a window began: where its bin did, and what the bin held before (conjugate: beta). */
export function usualOf(
  state: ShareState,
  { bin, minutes, before }: { bin: number; minutes: number; before: Outcomes },
): UsualShare {
  const prior = toShare(state.logOddsOf(bin));
  const weight = 1 / (state.variances(bin % BINS) * (1 - prior));
  const failures = weight + before.failures;
  const share = bound(failures / (weight / prior + before.trials));
  const known = 1 / (failures * (1 - share));
  return {
    logOdds: toLogOdds(share),
    variance: known + REMAINING_WANDERING * wanderingWithin(state, minutes),
    dispersion: dispersionOf(state),
  };
}

/** The wandering within a window: between two spans in proportion to its length. */
function wanderingWithin(state: ShareState, minutes: number): number {
  const span = SPAN_MINUTES.findIndex((limit) => minutes <= limit);
  if (span <= 0) return wanderingOf(state, span === 0 ? 0 : SPANS - 1);
  const [shorter, longer] = [SPAN_MINUTES[span - 1] as number, SPAN_MINUTES[span] as number];
  const part = (minutes - shorter) / (longer - shorter);
  return (1 - part) * wanderingOf(state, span - 1) + part * wanderingOf(state, span);
}

/** The bin that runs ends now, after so many minutes: the sums learn from it. */
export function learnBin(state: ShareState, minutes: number): void {
  learnWandering(state, minutes);
  const { bin } = state;
  const { failures, trials } = countedOf(state, bin);
  const expected = trials * toShare(state.logOddsOf(bin));
  // What nothing is known of yet, and what an alarm has held for a day, is learned as it is.
  const isWinsorised = state.isKnown && !state.isOpen;
  const winsorised = isWinsorised ? Math.min(failures, 2 * expected + 4 * dispersionOf(state)) : failures;
  MEMORY_MINUTES.forEach((memory, i) => {
    const decay = Math.exp(-minutes / memory);
    state.setSumOfFailures(i, state.sumOfFailures(i) * decay + winsorised);
    state.setSumOfTrials(i, state.sumOfTrials(i) * decay + trials);
  });
}

/**
 * Compares what the last bins held with what was usual before them: the method of moments for the variance of the log odds,
 * beyond what the usual share was not known of. Each span weighted by the inverse of its variance. Spans that overlap share their weight.
 */
function learnWandering(state: ShareState, minutes: number): void {
  const dispersion = dispersionOf(state);
  const decay = Math.exp(-minutes / MINUTES_PER_WEEK);
  let [failures, trials, span] = [0, 0, 0];
  for (let bin = state.bin; bin >= state.oldestBin && span < SPANS; bin--) {
    const counted = countedOf(state, bin);
    failures += counted.failures;
    trials += counted.trials;
    const bins = SPAN_BINS[span] as number; // there is one for each span
    if (state.bin - bin + 1 < bins) continue;
    const share = toShare(state.logOddsOf(bin));
    // The failures that one unit of log odds more would bring, which is also their binomial variance.
    const slope = trials * share * (1 - share);
    const noise = dispersion * slope;
    const known = state.variances(bin % BINS);
    const limit = DEVIATION_LIMIT * (noise + (known + wanderingOf(state, span)) * slope ** 2);
    const excess = (Math.min((failures - trials * share) ** 2, limit) - noise) / slope ** 2 - known;
    const weight = (slope / (slope + dispersion / PRIOR_WANDERING)) ** 2 / bins;
    state.setWanderingOf(span, state.wanderingOf(span) * decay + weight * excess);
    state.setWanderingWeightOf(span, state.wanderingWeightOf(span) * decay + weight);
    span++;
  }
}

function wanderingOf(state: ShareState, span: number): number {
  const weight = PRIOR_SPANS + state.wanderingWeightOf(span);
  const wandering = (PRIOR_SPANS * PRIOR_WANDERING + state.wanderingOf(span)) / weight;
  return Math.min(MAX_WANDERING, Math.max(MIN_WANDERING, wandering));
}

/**
 * Compares the minute that runs with the one before it: half the square of successive differences (von Neumann, 1941) holds
 * the dispersion of the failures, and nothing of the wandering.
 */
export function learnDispersion(state: ShareState): void {
  const { minute, bin } = state;
  const [last, previous] = [cellOfMinute(minute), cellOfMinute(minute + RING_MINUTES - 1)];
  const trials = state.trials(last) + state.trials(previous);
  if (trials === 0) return;
  const share = toShare(state.logOddsOf(bin));
  const variance = (trials * share * (1 - share)) / 2;
  const surplus = (cell: number) => state.failures(cell) - share * state.trials(cell);
  const limit = DEVIATION_LIMIT * dispersionOf(state) * Math.max(variance, MIN_VARIANCE);
  state.deviations =
    state.deviations * DISPERSION_DECAY + Math.min((surplus(last) - surplus(previous)) ** 2 / 2, limit);
  state.binomialVariances = state.binomialVariances * DISPERSION_DECAY + variance;
}

export function dispersionOf(state: ShareState): number {
  return Math.max(
    1,
    (DISPERSION_PRIOR_EVENTS + state.deviations) / (DISPERSION_PRIOR_EVENTS + state.binomialVariances),
  );
}

/** Failures that are to be expected in a week; of the first hour too little is known to expect fewer than one. */
export function failuresPerWeek(state: ShareState): number {
  const watched = Math.max(60, fadedMinutes(state, MINUTES_PER_WEEK));
  return (MINUTES_PER_WEEK * (1 + state.sumOfFailures(SHARE_MEMORIES - 1))) / watched;
}

/**
 * Evidence of a number of failures by itself, without their trials: whatever the time of the day, so many are usual of the
 * last day on average.
 */
export function countEvidence(
  state: ShareState,
  { failures, minutes }: { failures: number; minutes: number },
  dispersion: number,
): number {
  const expected = ratesOfDay(state).failures * minutes;
  if (failures <= expected) return 0;
  if (expected === 0) return Number.POSITIVE_INFINITY;
  return logLikelihoodRatio(failures, expected, expected / Math.max(MIN_EXCESS_DISPERSION, dispersion - 1));
}

/** What came in a minute of the last day, on average. */
export function ratesOfDay(state: ShareState): Outcomes {
  const minutes = Math.max(1, fadedMinutes(state, MINUTES_PER_DAY));
  return { failures: state.sumOfFailures(DAY) / minutes, trials: state.sumOfTrials(DAY) / minutes };
}

/** Returns the outcomes of a bin that count: repeats are trials that have failed, and leave with them. */
function countedOf(state: ShareState, bin: number): Outcomes {
  const repeats = state.repeats(bin % BINS);
  const cell = cellOfBin(bin);
  return { failures: state.failures(cell) - repeats, trials: state.trials(cell) - repeats };
}

/** The minutes that a memory holds, each at its weight. */
function fadedMinutes(state: ShareState, memoryMinutes: number): number {
  return -memoryMinutes * Math.expm1(-state.minute / memoryMinutes);
}

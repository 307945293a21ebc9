import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import { type Outcomes, toShare, type UsualShare } from './share-evidence.ts';
import {
  BINS,
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
/** The first bins are not clipped: there is no usual share yet to clip them against. */
const UNCLIPPED_BINS = 3;
/** Against log odds without bounds. */
const MIN_SHARE = 1e-6;

/** Until it has shown otherwise, for which it takes about ten spans, the share wanders by σ = 0.4. */
const PRIOR_WANDERING = 0.16;
const PRIOR_SPANS = 10;
/** No share is steadier than σ = 0.14, and none wanders by more than σ = 2. */
const MIN_WANDERING = 0.02;
const MAX_WANDERING = 4;
/** The spans over which wandering is measured, in bins, and up to which length of windows it holds. */
const SPAN_BINS = [1, 3, BINS - 1];
const SPAN_MINUTES = [10, 30];
/** A deviation counts for at most so many times its variance, that of half a failure at least. */
const MAX_DEVIATION = 16;
const MIN_VARIANCE = 0.5;

/** The binomial dispersion counts for as much as so many failures. */
const PRIOR_DISPERSION = 20;
const DISPERSION_DECAY = Math.exp(-1 / MINUTES_PER_WEEK);

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

function toLogOdds(share: number): number {
  return Math.log(share / (1 - share));
}

/** What is usual of a window that began in a bin. */
export function usualSince(state: ShareState, bin: number, minutes: number): UsualShare {
  const span = SPAN_MINUTES.findIndex((limit) => minutes <= limit);
  return {
    logOdds: state.logOddsOfBin(bin),
    // What was measured holds the uncertainty of the share as well.
    variance: Math.max(state.varianceOfBin(bin), wanderingOf(state, span === -1 ? SPANS - 1 : span)),
    dispersion: dispersionOf(state),
  };
}

/** The bin that runs ends now, after so many minutes: the sums learn from it. */
export function learnBin(state: ShareState, minutes: number): void {
  learnWandering(state, minutes);
  const { bin } = state;
  const [failures, trials] = [state.failuresOfBin(bin), state.trialsOfBin(bin)];
  const expected = trials * toShare(state.logOddsOfBin(bin));
  // What nothing is known of yet, and what an alarm has held for a day, is learned as it is.
  const isWinsorised = bin >= UNCLIPPED_BINS && !state.isOpen;
  const winsorised = isWinsorised ? Math.min(failures, 2 * expected + 4 * dispersionOf(state)) : failures;
  MEMORY_MINUTES.forEach((memory, i) => {
    const decay = Math.exp(-minutes / memory);
    state.setSums(i, state.sumOfFailures(i) * decay + winsorised, state.sumOfTrials(i) * decay + trials);
  });
}

/**
 * Compares what the last bins held with what was usual before them: the method of moments for the variance of the log odds,
 * each span weighted by the inverse of its variance. Spans that overlap share their weight.
 */
function learnWandering(state: ShareState, minutes: number): void {
  const dispersion = dispersionOf(state);
  const decay = Math.exp(-minutes / MINUTES_PER_WEEK);
  let [failures, trials, span] = [0, 0, 0];
  for (let bin = state.bin; bin >= state.oldestBin && span < SPANS; bin--) {
    failures += state.failuresOfBin(bin);
    trials += state.trialsOfBin(bin);
    const bins = SPAN_BINS[span] as number; // there is one for each span
    if (state.bin - bin + 1 < bins) continue;
    const share = toShare(state.logOddsOfBin(bin));
    // The failures that one unit of log odds more would bring, which is also their binomial variance.
    const slope = trials * share * (1 - share);
    const noise = dispersion * slope;
    const limit = MAX_DEVIATION * (noise + wanderingOf(state, span) * slope ** 2);
    const excess = (Math.min((failures - trials * share) ** 2, limit) - noise) / slope ** 2;
    const weight = (slope / (slope + dispersion / PRIOR_WANDERING)) ** 2 / bins;
    state.setWandering(
      span,
      state.wanderingOf(span) * decay + weight * excess,
      state.wanderingWeightOf(span) * decay + weight,
    );
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
  const [last, previous] = [state.minute, state.minute + RING_MINUTES - 1];
  const trials = state.trialsAt(last) + state.trialsAt(previous);
  if (trials === 0) return;
  const share = toShare(state.logOddsOfBin(state.bin));
  const variance = (trials * share * (1 - share)) / 2;
  const difference =
    state.failuresAt(last) -
    state.failuresAt(previous) -
    share * (state.trialsAt(last) - state.trialsAt(previous));
  const limit = MAX_DEVIATION * dispersionOf(state) * Math.max(variance, MIN_VARIANCE);
  state.deviations = state.deviations * DISPERSION_DECAY + Math.min(difference ** 2 / 2, limit);
  state.binomialVariances = state.binomialVariances * DISPERSION_DECAY + variance;
}

function dispersionOf(state: ShareState): number {
  return Math.max(1, (PRIOR_DISPERSION + state.deviations) / (PRIOR_DISPERSION + state.binomialVariances));
}

/** Failures that are to be expected in a week; of the first hour too little is known to expect fewer than one. */
export function failuresPerWeek(state: ShareState): number {
  const watched = Math.max(60, fadedMinutes(state, MINUTES_PER_WEEK));
  return (MINUTES_PER_WEEK * (1 + state.sumOfFailures(SHARE_MEMORIES - 1))) / watched;
}

/** What came in a minute of the last day, on average. */
export function ratesOfDay(state: ShareState): Outcomes {
  const minutes = Math.max(1, fadedMinutes(state, MINUTES_PER_DAY));
  return { failures: state.sumOfFailures(DAY) / minutes, trials: state.sumOfTrials(DAY) / minutes };
}

/** The minutes that a memory holds, each at its weight. */
function fadedMinutes(state: ShareState, memoryMinutes: number): number {
  return -memoryMinutes * Math.expm1(-state.minute / memoryMinutes);
}

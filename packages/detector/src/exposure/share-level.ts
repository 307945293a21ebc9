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
  MEMORY_MINUTES,
  RING_MINUTES,
  SHARE_MEMORIES,
  type ShareState,
  SPAN_BINS,
  SPANS,
  type UsualLogOdds,
} from './share-state.ts';

const DAY = MEMORY_MINUTES.indexOf(MINUTES_PER_DAY);
/** Prior: half a failure among fifty trials. */
const PRIOR_FAILURES = 0.5;
const PRIOR_TRIALS = 50;
/** Bound of shares, so that log odds are bounded. */
const MIN_SHARE = 1e-6;

/** Prior of the wandering, σ = 0.28, worth ten spans. */
const PRIOR_WANDERING = 0.08;
const PRIOR_SPANS = 10;
/** No share is steadier than σ = 0.07, and none wanders by more than σ = 2. */
const MIN_WANDERING = 0.005;
const MAX_WANDERING = 4;
/** The spans over which wandering is measured, in minutes. */
const SPAN_MINUTES = SPAN_BINS.map((bins) => bins * BIN_MINUTES);
/** Minimum variance, of half a failure, up to `DEVIATION_LIMIT` times which a deviation counts. */
const MIN_VARIANCE = 0.5;
const DISPERSION_DECAY = Math.exp(-1 / MINUTES_PER_WEEK);

/**
 * Part of the wandering, measured from the beginnings of bins, that is left where a window begins within a bin. Chosen on
 * simulated payments of 1 to 100 a minute that wander.
 */
const REMAINING_WANDERING = 0.85;

/** Minimum excess of the dispersion: negative binomial counts of an unbounded size are Poisson counts. */
const MIN_EXCESS_DISPERSION = 1e-6;

/**
 * Returns the usual share from now on: a beta–binomial model with discounting (West & Harrison, 1997), with
 * one memory the prior of the next faster one. A slower memory is worth as many failures as make it as uncertain as
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

/** Returns the log odds of the slowest memory alone. */
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

/** Returns the usual share when a window began: that of its bin, updated by the outcomes of the bin before the window (conjugate: beta). */
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

/** Returns the wandering within a window, interpolated between two spans. */
function wanderingWithin(state: ShareState, minutes: number): number {
  const span = SPAN_MINUTES.findIndex((limit) => minutes <= limit);
  if (span <= 0) return wanderingOf(state, span === 0 ? 0 : SPANS - 1);
  const [shorter, longer] = [SPAN_MINUTES[span - 1] as number, SPAN_MINUTES[span] as number];
  const part = (minutes - shorter) / (longer - shorter);
  return (1 - part) * wanderingOf(state, span - 1) + part * wanderingOf(state, span);
}

/** Takes the running bin, which ends now after so many minutes, into the sums. */
export function learnBin(state: ShareState, minutes: number): void {
  learnWandering(state, minutes);
  const { bin } = state;
  const { failures, trials } = countedOf(state, bin);
  const expected = trials * toShare(state.logOddsOf(bin));
  // An unknown share, and one that an alarm has held for a day, is learned as it is.
  const isWinsorised = state.isKnown && !state.isOpen;
  const winsorised = isWinsorised ? Math.min(failures, 2 * expected + 4 * dispersionOf(state)) : failures;
  MEMORY_MINUTES.forEach((memory, i) => {
    const decay = Math.exp(-minutes / memory);
    state.setSumOfFailures(i, state.sumOfFailures(i) * decay + winsorised);
    state.setSumOfTrials(i, state.sumOfTrials(i) * decay + trials);
  });
}

/**
 * Learns the wandering from the last bins and the usual share before them: the method of moments for the variance of the log
 * odds, beyond the uncertainty of the usual share. Spans are weighted by the inverse of their variance; those that overlap
 * share their weight.
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
    // Failures that one unit of log odds would add, which is also their binomial variance.
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
 * Compares the running minute with the one before it: half the square of successive differences (von Neumann, 1941) holds
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

/** Returns the expected failures of a week; the first hour is too short to expect fewer than one. */
export function failuresPerWeek(state: ShareState): number {
  const watched = Math.max(60, fadedMinutes(state, MINUTES_PER_WEEK));
  return (MINUTES_PER_WEEK * (1 + state.sumOfFailures(SHARE_MEMORIES - 1))) / watched;
}

/**
 * Returns the evidence of a number of failures by itself, without their trials, against the average of the last day at any time
 * of the day.
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

/** Returns the average outcomes of a minute of the last day. */
export function ratesOfDay(state: ShareState): Outcomes {
  const minutes = Math.max(1, fadedMinutes(state, MINUTES_PER_DAY));
  return { failures: state.sumOfFailures(DAY) / minutes, trials: state.sumOfTrials(DAY) / minutes };
}

/** Returns the outcomes of a bin that count: repeats are failed trials, which leave both. */
function countedOf(state: ShareState, bin: number): Outcomes {
  const repeats = state.repeats(bin % BINS);
  const cell = cellOfBin(bin);
  return { failures: state.failures(cell) - repeats, trials: state.trials(cell) - repeats };
}

/** Returns the sum of the weights of the minutes that a memory holds. */
function fadedMinutes(state: ShareState, memoryMinutes: number): number {
  return -memoryMinutes * Math.expm1(-state.minute / memoryMinutes);
}

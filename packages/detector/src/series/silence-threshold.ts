import { MIN_BLOCK_EVENTS } from '../calibration/block-maxima.ts';
import { fitGumbel, paretoQuantile } from '../calibration/gumbel-tail.ts';
import { predictiveFactor, usualFactor } from '../calibration/rare-budgets.ts';
import { runOf } from '../state/code-runs.ts';
import { EVIDENCE } from '../state/log-code.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import { KEPT_MAXIMA, type SilenceState } from './silence-state.ts';

const MIN_BLOCKS = 5;
const QUANTILE = 0.85;
/** A wandering rate makes the tail heavier than exponential. Chosen on log-normal rates of σ 1 that wander within four hours. */
const TAIL_INDEX = 0.12;
/** Factor on the scale of all gaps, for those that are yet to come, and its weight in blocks. */
const PRIOR_SCALE_FACTOR = 1.4;
const PRIOR_BLOCKS = 8;
/** Memory of that scale, and the weight of the exponential scale of 1, in expected events. */
const SCALE_EVENTS = 500;
const SCALE_PRIOR_EVENTS = 20;
/** Minimum ratio of a silence to the longest remembered gap. */
const MAX_SEEN_FACTOR = 1.5;

export interface SilenceBudget {
  /** False alarms a week. */
  budgetPerWeek: number;
  rarity: number;
}

/** Returns the expected events since the last one that the budget allows to be exceeded; infinite before the first blocks. */
export function silenceThreshold(state: SilenceState, { budgetPerWeek, rarity }: SilenceBudget): number {
  const kept = Math.min(state.blocks, KEPT_MAXIMA);
  if (kept < MIN_BLOCKS) return Number.POSITIVE_INFINITY;
  const maxima = Array.from({ length: kept }, (_, index) => state.maxima(index));
  const codes = Uint8Array.from(maxima, (maximum) => EVIDENCE.encode(maximum));
  const own = fitGumbel(runOf(codes), { quantile: QUANTILE, power: 1 });
  const ofGaps = Math.max(1, (state.squares / 2 + SCALE_PRIOR_EVENTS) / (state.gaps + SCALE_PRIOR_EVENTS));
  const prior = PRIOR_SCALE_FACTOR * ofGaps;
  const scale = (kept * Math.max(ofGaps, own.scale) + PRIOR_BLOCKS * prior) / (kept + PRIOR_BLOCKS);
  const gapsOfBlock = Math.max(1, state.meanBlockEvents / ofGaps);
  const location = Math.max(ofGaps * Math.log(gapsOfBlock), own.location);
  const chance = Math.min(0.5, (budgetPerWeek * state.meanBlockMinutes) / MINUTES_PER_WEEK);
  const largest = maxima.reduce((most, maximum) => Math.max(most, maximum), 0);
  const variate = paretoQuantile({ quantile: QUANTILE, tailIndex: TAIL_INDEX }, -Math.log(chance));
  return Math.max(
    (location + scale * variate) * predictiveFactor(rarity, kept),
    Math.max(MAX_SEEN_FACTOR, usualFactor(rarity)) * largest,
  );
}

/** True if silences were reported in two of the last blocks before this one: the third is usual. */
export function isUsualSilence(state: SilenceState): boolean {
  const block = state.blocks + 1;
  const before = state.reportedBlockBefore;
  return before > 0 && state.reportedBlock < block && block - before <= KEPT_MAXIMA;
}

/** Records that a silence was reported; several of one block are one. */
export function recordReported(state: SilenceState): void {
  const block = state.blocks + 1;
  const last = state.reportedBlock;
  if (last === block) return;
  state.reportedBlockBefore = last;
  state.reportedBlock = block;
}

/** Gaps between the events of one minute: their number, and the mean of the expected events in each. */
interface ShortGaps {
  number: number;
  expected: number;
}

/**
 * Learns the gap before the first event of a minute, and those between it and the others. Where n events come at random
 * moments of a minute in which m are expected, each of the n + 1 gaps has the mean m/(n + 1) and the mean square
 * 2m²/((n + 1)(n + 2)) (uniform spacings: Pyke, 1965). Without these gaps a series of several events a minute would only have gaps of
 * whole minutes.
 */
export function learnGaps(state: SilenceState, gap: number, { number, expected }: ShortGaps): void {
  state.blockMaximum = Math.max(state.blockMaximum, gap);
  const sum = gap + number * expected;
  const meanSquare = (2 * expected ** 2 * (number + 2)) / (number + 3);
  const fading = Math.exp(-sum / SCALE_EVENTS);
  state.gaps = state.gaps * fading + sum;
  state.squares = state.squares * fading + gap ** 2 + number * meanSquare;
}

/**
 * Adds a minute, in which so many events were expected, to the running block, and closes the block once it is long enough.
 * It waits for the end of a gap that is its longest: a silence is not compared with itself.
 * @param runningGap expected events of a gap that is no silence yet; 0 where it is
 */
export function addToBlock(state: SilenceState, expected: number, runningGap: number): void {
  state.blockMinutes += 1;
  state.blockEvents += expected;
  const [minutes, blockEvents] = [state.blockMinutes, state.blockEvents];
  const maximum = state.blockMaximum;
  if (minutes < MINUTES_PER_DAY || blockEvents < MIN_BLOCK_EVENTS || runningGap > maximum) return;
  const blocks = state.blocks;
  state.setMaxima(blocks % KEPT_MAXIMA, maximum);
  const part = 1 / Math.min(blocks + 1, KEPT_MAXIMA);
  state.meanBlockMinutes += (minutes - state.meanBlockMinutes) * part;
  state.meanBlockEvents += (blockEvents - state.meanBlockEvents) * part;
  state.blocks = blocks + 1;
  state.blockMinutes = 0;
  state.blockEvents = 0;
  state.blockMaximum = 0;
}

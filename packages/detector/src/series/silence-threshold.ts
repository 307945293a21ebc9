import { fitGumbel, paretoQuantile } from '../calibration/gumbel-tail.ts';
import { predictiveFactor, usualFactor } from '../calibration/rare-budgets.ts';
import { runOf } from '../state/code-runs.ts';
import { EVIDENCE } from '../state/evidence-code.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import {
  BLOCK_EVENTS,
  BLOCK_MAXIMUM,
  BLOCK_MINUTES,
  BLOCKS,
  GAPS,
  KEPT_MAXIMA,
  MEAN_BLOCK_EVENTS,
  MEAN_BLOCK_MINUTES,
  REPORTED_BLOCK,
  REPORTED_BLOCK_BEFORE,
  type SilenceState,
  SQUARES,
} from './silence-state.ts';

/** A block of gaps lasts at least a day, and as long as so many events are expected. */
const MIN_BLOCK_EVENTS = 10;
const MIN_BLOCKS = 5;
const QUANTILE = 0.85;
/** Where the rate wanders the tail is heavier than exponential. Chosen on log-normal rates of σ 1 that wander within four hours. */
const TAIL_INDEX = 0.12;
/** The scale that all gaps show, with some more for what they did not show yet, counts for as much as so many blocks. */
const PRIOR_SCALE_FACTOR = 1.4;
const PRIOR_BLOCKS = 8;
/** Its memory, and the weight of the exponential scale of 1, in expected events. */
const SCALE_EVENTS = 500;
const SCALE_PRIOR_EVENTS = 20;
/** A silence is at least so many times the longest gap that is remembered. */
const MAX_SEEN_FACTOR = 1.5;

export interface SilenceBudget {
  /** False alarms a week. */
  budgetPerWeek: number;
  /** See `rarityOf`. */
  rarity: number;
}

/** Expected events since the last one that are exceeded as often as the budget allows; infinite before the first blocks. */
export function silenceThreshold(state: SilenceState, { budgetPerWeek, rarity }: SilenceBudget): number {
  const kept = Math.min(state.at(BLOCKS), KEPT_MAXIMA);
  if (kept < MIN_BLOCKS) return Number.POSITIVE_INFINITY;
  const maxima = state.maxima(kept);
  const codes = Uint8Array.from(maxima, (maximum) => EVIDENCE.encode(maximum));
  const own = fitGumbel(runOf(codes), { quantile: QUANTILE, power: 1 });
  const ofGaps = Math.max(
    1,
    (state.at(SQUARES) / 2 + SCALE_PRIOR_EVENTS) / (state.at(GAPS) + SCALE_PRIOR_EVENTS),
  );
  const prior = PRIOR_SCALE_FACTOR * ofGaps;
  const scale = (kept * Math.max(ofGaps, own.scale) + PRIOR_BLOCKS * prior) / (kept + PRIOR_BLOCKS);
  const gapsOfBlock = Math.max(1, state.at(MEAN_BLOCK_EVENTS) / ofGaps);
  const location = Math.max(ofGaps * Math.log(gapsOfBlock), own.location);
  const chance = Math.min(0.5, (budgetPerWeek * state.at(MEAN_BLOCK_MINUTES)) / MINUTES_PER_WEEK);
  const largest = maxima.reduce((most, maximum) => Math.max(most, maximum), 0);
  const variate = paretoQuantile({ quantile: QUANTILE, tailIndex: TAIL_INDEX }, -Math.log(chance));
  return Math.max(
    (location + scale * variate) * predictiveFactor(rarity, kept),
    Math.max(MAX_SEEN_FACTOR, usualFactor(rarity)) * largest,
  );
}

/** True if silences were reported in two of the last blocks before this one: the third is usual. */
export function isUsualSilence(state: SilenceState): boolean {
  const block = state.at(BLOCKS) + 1;
  const before = state.at(REPORTED_BLOCK_BEFORE);
  return before > 0 && state.at(REPORTED_BLOCK) < block && block - before <= KEPT_MAXIMA;
}

/** Records that a silence was reported; several of one block are one. */
export function recordReported(state: SilenceState): void {
  const block = state.at(BLOCKS) + 1;
  const last = state.at(REPORTED_BLOCK);
  if (last === block) return;
  state.set(REPORTED_BLOCK_BEFORE, last);
  state.set(REPORTED_BLOCK, block);
}

/** Gaps between the events of one minute: how many, and the events expected in each, on average. */
interface ShortGaps {
  number: number;
  expected: number;
}

/**
 * Learns the gap before the first event of a minute, and those between it and the others. Where n events come at random
 * moments of a minute in which m are expected, each of the n + 1 gaps has the mean m/(n + 1) and the mean square
 * 2m²/((n + 1)(n + 2)) (uniform spacings: Pyke, 1965). Without them a series of several events a minute would have gaps of
 * whole minutes alone.
 */
export function learnGaps(state: SilenceState, gap: number, { number, expected }: ShortGaps): void {
  state.set(BLOCK_MAXIMUM, Math.max(state.at(BLOCK_MAXIMUM), gap));
  const sum = gap + number * expected;
  const meanSquare = (2 * expected ** 2 * (number + 2)) / (number + 3);
  const fading = Math.exp(-sum / SCALE_EVENTS);
  state.set(GAPS, state.at(GAPS) * fading + sum);
  state.set(SQUARES, state.at(SQUARES) * fading + gap ** 2 + number * meanSquare);
}

/**
 * Adds a minute, in which so many events were expected, to the block that runs, and closes the block once it is long enough.
 * It waits for the end of a gap that is its longest: a silence is not compared with itself.
 * @param runningGap that is no silence yet; 0 where it is
 */
export function addToBlock(state: SilenceState, expected: number, runningGap: number): void {
  state.add(BLOCK_MINUTES, 1);
  state.add(BLOCK_EVENTS, expected);
  const [minutes, blockEvents] = [state.at(BLOCK_MINUTES), state.at(BLOCK_EVENTS)];
  const maximum = state.at(BLOCK_MAXIMUM);
  if (minutes < MINUTES_PER_DAY || blockEvents < MIN_BLOCK_EVENTS || runningGap > maximum) return;
  const blocks = state.at(BLOCKS);
  state.setMaximum(blocks % KEPT_MAXIMA, maximum);
  const part = 1 / Math.min(blocks + 1, KEPT_MAXIMA);
  state.add(MEAN_BLOCK_MINUTES, (minutes - state.at(MEAN_BLOCK_MINUTES)) * part);
  state.add(MEAN_BLOCK_EVENTS, (blockEvents - state.at(MEAN_BLOCK_EVENTS)) * part);
  state.set(BLOCKS, blocks + 1);
  for (const each of [BLOCK_MINUTES, BLOCK_EVENTS, BLOCK_MAXIMUM]) state.set(each, 0);
}

import { predictiveFactor, usualFactor } from '../calibration/rare-budgets.ts';
import { MIN_EVIDENCE } from '../series/excess.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import {
  clumpedEvidence,
  type Outcomes,
  type ShareEvidence,
  shareEvidence,
  toShare,
  type UsualShare,
} from './share-evidence.ts';
import { failuresPerWeek, repeatsOf, usualSince } from './share-level.ts';
import { RING_MINUTES, type ShareState } from './share-state.ts';

/** The smallest effect that opens an alarm, in failures more than usual. */
const MIN_FAILURES = 5;

/**
 * Windows of different length that end in the same minute are as good as so many independent ones. Chosen on simulated
 * payments of 0.2 to 200 a minute, 3% usual: false alarms are 0.3 to 1.3 of the budget for σ = 0.4 that fades within 30
 * to 720 minutes, and fewer where the share does not wander.
 */
const INDEPENDENT_LENGTHS = 2.5;
/**
 * Failures that come in clumps have more than the model says: evidence has to be so many times the largest of the last
 * weeks. Chosen on simulated errors that burst by themselves (Hawkes, and Cox processes with σ = 1).
 */
const UNSEEN = 2;
/** In which wandering fades that the level does not follow. */
const WANDERING_MINUTES = 120;
const WARM_UP_SHARE = 0.25;

/** Least effect, beside its failures. */
export interface LeastEffect {
  /** As a ratio of the odds. */
  minRatio: number;
  /** Trials of the window that have not failed. */
  minOthers: number;
}

/** When a window opens an alarm. */
export interface ShareCriteria extends LeastEffect {
  /** True if the counts of the failures have reported the same trouble. */
  isReported: (found: ShareExceedance) => boolean;
  /** False: what is found opens nothing. */
  mayOpen: (found: ShareExceedance) => boolean;
  /** False alarms a week. */
  budgetPerWeek: number;
  /** See `rarityOf`. */
  rarity: number;
  /** Nothing is learned from the minute. */
  isUnlearned?: boolean;
  /** Failures come in clumps of their own: their least dispersion, and the least wandering. Null: each is a trial's. */
  clumps: { minDispersion: number; minVariance: number } | null;
}

/** A window in which more fail than usual. */
export interface ShareExceedance extends Outcomes {
  /** From the beginning of the window to the end of the minute that runs. */
  minutes: number;
  usualShare: number;
  evidence: number;
  openThreshold: number;
}

/** The last minutes. */
interface Window extends Outcomes {
  /** Failures that do not count: see `countFailures`. */
  repeats: number;
  minutes: number;
}

/** The window with the most evidence over its threshold, of all that begin with a failure of the last half hour or with a bin. */
export function findStrongest(state: ShareState, criteria: ShareCriteria): ShareExceedance | null {
  const { minute, oldestBin } = state;
  let strongest: ShareExceedance | null = null;
  const evaluate = (window: Window, bin: number) => {
    if (!isEffect(window, toShare(state.logOddsOfBin(bin)), criteria)) return;
    const usual = usualSince(state, bin, window.minutes);
    strongest = strongerOf(strongest, exceedanceOf(state, usual, window, criteria));
  };
  let { bin } = state;
  let [failures, trials, repeats] = [0, 0, 0];
  for (let minutes = 1; minutes <= RING_MINUTES && minutes <= minute + 1; minutes++) {
    const first = minute + 1 - minutes;
    failures += state.failuresAt(first);
    trials += state.trialsAt(first);
    if (state.failuresAt(first) === 0) continue;
    while (bin > oldestBin && state.beginningOfBin(bin) > first) bin--;
    repeats += repeatsOf(state, first, bin);
    evaluate({ failures, trials, repeats, minutes }, bin);
  }
  failures = state.failuresAt(minute);
  trials = state.trialsAt(minute);
  repeats = repeatsOf(state, minute, state.bin);
  for (bin = state.bin; bin >= oldestBin; bin--) {
    failures += state.failuresOfBin(bin);
    trials += state.trialsOfBin(bin);
    repeats += state.repeatsOfBin(bin);
    const minutes = minute + 1 - state.beginningOfBin(bin);
    if (minutes > RING_MINUTES) evaluate({ failures, trials, repeats, minutes }, bin);
  }
  return strongest;
}

/**
 * Whether such a window, ending now, opens an alarm: one that is open already, and what mayOpen says, are left out of
 * account.
 */
export function opensAlarm(
  state: ShareState,
  usual: UsualShare,
  window: Window,
  criteria: ShareCriteria,
): boolean {
  if (!isEffect(window, toShare(usual.logOdds), criteria)) return false;
  const { evidence, openThreshold } = exceedanceOf(state, usual, window, criteria);
  return evidence > openThreshold;
}

/** @param usual what was when the window began */
function exceedanceOf(
  state: ShareState,
  usual: UsualShare,
  { failures, trials, repeats, minutes }: Window,
  { budgetPerWeek, rarity, clumps }: ShareCriteria,
): ShareExceedance {
  const counted = { failures: failures - repeats, trials: trials - repeats };
  const evidence = clumps
    ? clumpedEvidence(counted, {
        logOdds: usual.logOdds,
        variance: Math.max(clumps.minVariance, usual.variance),
        dispersion: Math.max(clumps.minDispersion, usual.dispersion),
      })
    : shareEvidence(counted, usual);
  const byBudget = openThresholdOf(state, minutes, evidence, budgetPerWeek);
  const openThreshold = clumps
    ? Math.max(
        byBudget * predictiveFactor(rarity, state.minute / MINUTES_PER_DAY),
        Math.max(UNSEEN, usualFactor(rarity)) * state.maxEvidence,
      )
    : byBudget;
  const usualShare = toShare(usual.logOdds);
  return { failures, trials, minutes, usualShare, evidence: evidence.nats, openThreshold };
}

/** Most windows are none: this is evaluated for each of them, every minute. */
export function isEffect(
  { failures, trials, repeats }: Omit<Window, 'minutes'>,
  share: number,
  { minOthers, minRatio }: LeastEffect,
): boolean {
  const others = trials - failures;
  const counted = failures - repeats;
  if (counted * (1 - share) - others * share < MIN_FAILURES || others < minOthers) return false;
  return counted * (1 - share) >= minRatio * share * others;
}

/** A longer window above its threshold replaces a shorter one only where it explains clearly more: see `findExcess`. */
function strongerOf(shorter: ShareExceedance | null, longer: ShareExceedance): ShareExceedance {
  if (!shorter) return longer;
  const needed = shorter.evidence + (shorter.evidence > shorter.openThreshold ? MIN_EVIDENCE : 0);
  const isStronger = longer.evidence / longer.openThreshold > shorter.evidence / shorter.openThreshold;
  return isStronger && longer.evidence >= needed ? longer : shorter;
}

/**
 * The evidence that a budget of false alarms a week allows: that of one window exceeds y with a chance of about e^−y
 * (Chernoff, 1952); evidence rises only with a failure; and windows of different length are as good as a few. A window is as good as new after its own length, or, as far as the wandering explains it, after the time in which
 * that fades: the rates add up in proportion to their parts (Pickands, 1969). So
 * y = ln(lengths · min(minutes a week · ((1 − ρ)/w + ρ/τ), failures a week)/budget).
 */
function openThresholdOf(
  state: ShareState,
  minutes: number,
  { nats, ofWandering }: ShareEvidence,
  budgetPerWeek: number,
): number {
  const weeks = state.minute / MINUTES_PER_WEEK;
  const budget = budgetPerWeek * Math.min(1, WARM_UP_SHARE + (1 - WARM_UP_SHARE) * weeks);
  const part = ofWandering / nats;
  const renewals = MINUTES_PER_WEEK * ((1 - part) / minutes + part / Math.max(minutes, WANDERING_MINUTES));
  return Math.log((INDEPENDENT_LENGTHS * Math.min(renewals, failuresPerWeek(state))) / budget);
}

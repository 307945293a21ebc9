import { predictiveFactor, usualFactor } from '../calibration/rare-budgets.ts';
import { warmUpShare } from '../calibration/thresholds.ts';
import { MIN_EVENTS } from '../series/evidence.ts';
import { MIN_EVIDENCE } from '../series/excess.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import { divergence, type Outcomes, type ShareEvidence, shareEvidence, toShare } from './share-evidence.ts';
import { dispersionOf, failuresPerWeek, usualOf } from './share-level.ts';
import { cellOfMinute, RING_MINUTES, type ShareState } from './share-state.ts';
import { type ShareWindow, windowsOf } from './share-windows.ts';

/**
 * Number of independent windows that those of all lengths which end in the same minute are worth. Chosen on simulated
 * payments of 0.2 to 200 a minute, 3% usual: false alarms are 0.3 to 1.3 of the budget for σ = 0.4 that fades within 30
 * to 720 minutes, and fewer where the share does not wander.
 */
const INDEPENDENT_LENGTHS = 2.5;
/**
 * Minimum ratio of evidence to the largest of the last weeks where failures come in clumps, beyond the model. Chosen on simulated errors that burst by themselves (Hawkes, and Cox processes with σ = 1).
 */
const UNSEEN = 2;
/** Minutes in which wandering fades that the level does not follow. */
export const WANDERING_MINUTES = 120;

/** Smallest effect that opens an alarm, beside its failures. */
export interface LeastEffect {
  /** Minimum ratio of the odds to the usual ones. */
  minRatio: number;
  /** Minimum trials of the window that have not failed. */
  minOthers: number;
}

/** Conditions for a window to open an alarm. */
export interface ShareCriteria extends LeastEffect {
  /** True if the counts of the failures have reported the same trouble. */
  isReported: (found: ShareExceedance) => boolean;
  /** False if an exceedance opens nothing. */
  mayOpen: (found: ShareExceedance) => boolean;
  /** False alarms a week. */
  budgetPerWeek: number;
  rarity: number;
  /** True if nothing is learned from the minute. */
  isUnlearned?: boolean;
  /** Minimum dispersion of failures that come in clumps of their own, and minimum wandering; null where each belongs to a trial. */
  clumps: { minDispersion: number; minVariance: number } | null;
}

/** A window in which more fail than usual. */
export interface ShareExceedance extends Outcomes {
  /** Length of the window, with the running minute. */
  minutes: number;
  usualShare: number;
  evidence: number;
  openThreshold: number;
}

/** Returns the window of most evidence over its threshold, of all that begin with a failure of the last half hour or with a bin. */
export function findStrongest(state: ShareState, criteria: ShareCriteria): ShareExceedance | null {
  let strongest: ShareExceedance | null = null;
  for (const window of windowsOf(state)) {
    const { minutes } = window;
    const first = cellOfMinute(state.minute + 1 - minutes);
    if (minutes <= RING_MINUTES && state.failures(first) === 0) continue;
    if (!isEffect(window, toShare(usualOf(state, window).logOdds), criteria)) continue;
    strongest = strongerOf(strongest, exceedanceOf(state, window, criteria));
  }
  return strongest;
}

/**
 * Returns the excess of an open alarm that ends with the running minute, from its latest likely beginning on, as in
 * `findExcess`. The usual share is that of the time before the alarm: its wandering since, which no longer matters, would
 * favour short windows. Null: none is an effect that opens an alarm.
 */
export function latestShareExcess(state: ShareState, least: LeastEffect): ShareExceedance | null {
  const dispersion = dispersionOf(state);
  const usualShare = toShare(state.usualLogOdds);
  let excess: ShareExceedance | null = null;
  for (const window of windowsOf(state)) {
    const { failures, trials, minutes } = window;
    if (minutes > RING_MINUTES) break;
    if (!isEffect(window, usualShare, least)) continue;
    const evidence = divergence(countedOf(window), usualShare) / dispersion;
    if (evidence < (excess?.evidence ?? 0) + MIN_EVIDENCE) continue;
    excess = { failures, trials, minutes, usualShare, evidence, openThreshold: evidence };
  }
  return excess;
}

/** True if such a window, ending now, opens an alarm, regardless of an open one and of `mayOpen`. */
export function opensAlarm(state: ShareState, window: ShareWindow, criteria: ShareCriteria): boolean {
  if (!isEffect(window, toShare(usualOf(state, window).logOdds), criteria)) return false;
  const { evidence, openThreshold } = exceedanceOf(state, window, criteria);
  return evidence > openThreshold;
}

function exceedanceOf(
  state: ShareState,
  window: ShareWindow,
  { budgetPerWeek, rarity, clumps }: ShareCriteria,
): ShareExceedance {
  const usual = usualOf(state, window);
  if (clumps) {
    usual.variance = Math.max(clumps.minVariance, usual.variance);
    usual.dispersion = Math.max(clumps.minDispersion, usual.dispersion);
  }
  const { failures, trials, minutes } = window;
  const evidence = shareEvidence(countedOf(window), usual);
  let openThreshold = openThresholdOf(state, minutes, evidence, budgetPerWeek);
  if (clumps)
    openThreshold = Math.max(
      openThreshold * predictiveFactor(rarity, state.minute / MINUTES_PER_DAY),
      Math.max(UNSEEN, usualFactor(rarity)) * state.maxEvidence,
    );
  return {
    failures,
    trials,
    minutes,
    usualShare: toShare(usual.logOdds),
    evidence: evidence.nats,
    openThreshold,
  };
}

/** Returns the outcomes that count: repeats are failed trials, which leave both. */
function countedOf({ failures, trials, repeats }: ShareWindow): Outcomes {
  return { failures: failures - repeats, trials: trials - repeats };
}

/** True for an effect that may open an alarm. Most windows are none: this is evaluated for each of them, every minute. */
function isEffect(
  { failures, trials, repeats }: ShareWindow,
  share: number,
  { minOthers, minRatio }: LeastEffect,
): boolean {
  const others = trials - failures;
  const counted = failures - repeats;
  if (counted * (1 - share) - others * share < MIN_EVENTS || others < minOthers) return false;
  return counted * (1 - share) >= minRatio * share * others;
}

/** Returns the stronger window. A longer one has to explain clearly more than a shorter one above its threshold: see `findExcess`. */
function strongerOf(shorter: ShareExceedance | null, longer: ShareExceedance): ShareExceedance {
  if (!shorter) return longer;
  const needed = shorter.evidence + (shorter.evidence > shorter.openThreshold ? MIN_EVIDENCE : 0);
  const isStronger = longer.evidence / longer.openThreshold > shorter.evidence / shorter.openThreshold;
  return isStronger && longer.evidence >= needed ? longer : shorter;
}

/**
 * Returns the evidence that a budget of false alarms a week allows: that of one window exceeds y with a chance of about e^−y
 * (Chernoff, 1952); evidence rises only with a failure; and windows of different length are worth a few independent ones. A
 * window is renewed after its own length, or, as far as the wandering explains it, after the time in which that fades: the
 * rates add up in proportion to their parts (Pickands, 1969). So
 * y = ln(lengths · min(minutes a week · ((1 − ρ)/w + ρ/τ), failures a week)/budget).
 */
function openThresholdOf(
  state: ShareState,
  minutes: number,
  { nats, ofWandering }: ShareEvidence,
  budgetPerWeek: number,
): number {
  const budget = budgetPerWeek * warmUpShare(state.minute);
  const part = ofWandering / nats;
  const renewals = MINUTES_PER_WEEK * ((1 - part) / minutes + part / Math.max(minutes, WANDERING_MINUTES));
  return Math.log((INDEPENDENT_LENGTHS * Math.min(renewals, failuresPerWeek(state))) / budget);
}

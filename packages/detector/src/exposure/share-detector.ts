import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import {
  clumpedEvidence,
  type Outcomes,
  oddsRatio,
  type ShareEvidence,
  shareEvidence,
  toShare,
  type UsualShare,
} from './share-evidence.ts';
import { failuresPerWeek, learnBin, learnDispersion, predictShare, usualSince } from './share-level.ts';
import { RING_MINUTES, ShareState } from './share-state.ts';

/** A bin holds at least so many minutes and trials: twelve are two hours, or 120 trials where these take longer. */
const BIN_MINUTES = 10;
const BIN_TRIALS = 10;

/** The smallest effect that opens an alarm, in failures more than usual. */
const MIN_FAILURES = 5;
/** What holds an open alarm: the ratio, and evidence whose chance is one in twenty. */
const HELD_RATIO = 1.5;
const HELD_EVIDENCE = 3;
/** What holds an alarm is looked for in at least so many minutes and trials. */
const RECENT_MINUTES = 10;
const RECENT_TRIALS = 20;
/** An alarm closes after so many minutes in which nothing held it. */
const QUIET_MINUTES = 30;
/** An alarm's share does not become usual before; and an alarm closes where trials are fewer than that for so long. */
const LEARNED_MINUTES = MINUTES_PER_DAY;

/** Nothing is evaluated before: nothing is usual yet. */
const FIRST_MINUTES = 15;
/**
 * Windows of different length that end in the same minute are as good as so many independent ones. Chosen on simulated
 * payments of 0.2 to 1,000 a minute, 3% usual: false alarms are 0.4 to 1.3 of the budget for σ = 0.4 that fades within 30
 * to 1,440 minutes, and fewer where the share does not wander.
 */
const INDEPENDENT_LENGTHS = 4;
/**
 * Failures that come in clumps have more than the model says: evidence has to be so many times the largest of the last
 * weeks, of which no more is recorded than this, and which is taken up after so many bins. Chosen on simulated errors that
 * burst by themselves (Hawkes, and Cox processes with σ = 1).
 */
const UNSEEN = 2;
const MAX_RECORDED = 20;
const RECORDED_BINS = 12;
const RECORD_DECAY = Math.exp(-1 / (14 * 12));
/** In which wandering fades that the level does not follow. */
const WANDERING_MINUTES = 120;
const WARM_UP_SHARE = 0.25;

/** When a window opens an alarm. */
export interface ShareCriteria {
  /** False: its evidence is recorded alone. */
  mayOpen: () => boolean;
  /** False alarms a week. */
  budgetPerWeek: number;
  /** The smallest effect, as a ratio of the odds. */
  minRatio: number;
  /** Trials of the window that have not failed, at least. */
  minOthers: number;
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

/** @param minute the one that runs, since 1970 */
export function createShare(minute: number): ShareState {
  const state = new ShareState(minute);
  state.beginBin(0, 0, predictShare(state));
  return state;
}

/** Sets what the minute that runs holds so far. */
export function setOutcomes(state: ShareState, { failures, trials }: Outcomes): void {
  state.setMinute(state.minute, failures, trials);
}

/**
 * Evaluates the minute that runs: an alarm does not wait for its end. Trials that follow can lower the evidence again, but
 * the thresholds hold for windows that end at any time.
 */
export function evaluateShare(state: ShareState, criteria: ShareCriteria): ShareExceedance | null {
  if (state.isOpen || state.failuresAt(state.minute) === 0 || isTooYoung(state)) return null;
  const strongest = findStrongest(state, criteria);
  if (!strongest) return null;
  state.recordEvidence(Math.min(strongest.evidence, MAX_RECORDED));
  if (strongest.evidence <= strongest.openThreshold || !criteria.mayOpen()) return null;
  const { usualShare } = strongest;
  state.openedMinute = state.minute;
  state.heldMinute = state.minute;
  state.usualLogOdds = Math.log(usualShare / (1 - usualShare));
  return strongest;
}

/**
 * Ends the minute that runs, after its last evaluation. The share of an open alarm is not learned for a day.
 * @returns whether an alarm has closed
 */
export function endMinute(state: ShareState): boolean {
  const { bin, minute } = state;
  const isLearning = !state.isOpen || minute - state.openedMinute >= LEARNED_MINUTES;
  state.addToBin(bin, state.failuresAt(minute), state.trialsAt(minute));
  if (isLearning) learnDispersion(state);
  const minutes = minute + 1 - state.beginningOfBin(bin);
  if (minutes >= BIN_MINUTES && state.trialsOfBin(bin) >= BIN_TRIALS) {
    if (isLearning) learnBin(state, minutes);
    if ((bin + 1) % RECORDED_BINS === 0) state.shiftEvidence(RECORD_DECAY);
    state.beginBin(bin + 1, minute + 1, predictShare(state));
    if (isLearning) state.usualLogOdds = state.logOddsOfBin(state.bin);
  }
  const hasClosed = state.isOpen && !isStillOpen(state);
  beginMinute(state, minute + 1);
  if (hasClosed) rearmShare(state);
  return hasClosed;
}

/** Begins a minute, since 1970: of those in between nothing is known. */
export function skipToMinute(state: ShareState, minute: number): void {
  const next = minute - state.firstMinute;
  for (let i = Math.max(state.minute + 1, next - RING_MINUTES); i <= next; i++) beginMinute(state, i);
}

/** Its alarm has closed, or a person has resolved the incident: later failures are evaluated by themselves. */
export function rearmShare(state: ShareState): void {
  state.close();
  state.forgetMinutes();
  state.beginBin(0, state.minute, predictShare(state));
}

function beginMinute(state: ShareState, minute: number): void {
  state.minute = minute;
  state.setMinute(minute, 0, 0);
}

/** The window with the most evidence over its threshold, of all that begin with a failure of the last half hour or with a bin. */
function findStrongest(state: ShareState, criteria: ShareCriteria): ShareExceedance | null {
  const { minute, oldestBin } = state;
  let strongest: ShareExceedance | null = null;
  let { bin } = state;
  let share = toShare(state.logOddsOfBin(bin));
  let [failures, trials] = [0, 0];
  for (let minutes = 1; minutes <= RING_MINUTES && minutes <= minute + 1; minutes++) {
    const first = minute + 1 - minutes;
    failures += state.failuresAt(first);
    trials += state.trialsAt(first);
    if (state.failuresAt(first) === 0) continue;
    while (bin > oldestBin && state.beginningOfBin(bin) > first) share = toShare(state.logOddsOfBin(--bin));
    if (!isEffect(failures, trials, share, criteria)) continue;
    const window = { failures, trials, minutes };
    strongest = strongerOf(strongest, exceedanceOf(state, usualSince(state, bin, minutes), window, criteria));
  }
  failures = state.failuresAt(minute);
  trials = state.trialsAt(minute);
  for (bin = state.bin; bin >= oldestBin; bin--) {
    failures += state.failuresOfBin(bin);
    trials += state.trialsOfBin(bin);
    const minutes = minute + 1 - state.beginningOfBin(bin);
    if (minutes <= RING_MINUTES) continue;
    if (!isEffect(failures, trials, toShare(state.logOddsOfBin(bin)), criteria)) continue;
    const window = { failures, trials, minutes };
    strongest = strongerOf(strongest, exceedanceOf(state, usualSince(state, bin, minutes), window, criteria));
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
  window: Outcomes & { minutes: number },
  criteria: ShareCriteria,
): boolean {
  if (!isEffect(window.failures, window.trials, toShare(usual.logOdds), criteria)) return false;
  const { evidence, openThreshold } = exceedanceOf(state, usual, window, criteria);
  return evidence > openThreshold;
}

/** Whether too little is known for an alarm. */
export function isTooYoung(state: ShareState): boolean {
  return state.minute < FIRST_MINUTES;
}

/** The last minutes, and what is usual of them; of more than two hours, those that are kept. */
export function recentWindow(state: ShareState, minutes: number): Outcomes & { usual: UsualShare } {
  const { minute, oldestBin } = state;
  let { bin } = state;
  let [failures, trials] = [state.failuresAt(minute), state.trialsAt(minute)];
  if (minutes > RING_MINUTES) {
    for (;;) {
      failures += state.failuresOfBin(bin);
      trials += state.trialsOfBin(bin);
      if (bin === oldestBin || minute + 1 - state.beginningOfBin(bin) >= minutes) break;
      bin--;
    }
  } else {
    const first = Math.max(0, minute + 1 - minutes);
    for (let before = first; before < minute; before++) {
      failures += state.failuresAt(before);
      trials += state.trialsAt(before);
    }
    while (bin > oldestBin && state.beginningOfBin(bin) > first) bin--;
  }
  return { failures, trials, usual: usualSince(state, bin, minutes) };
}

/** Whether no more fail of a window than what its trials explain. */
export function isProportionate({ usual, ...outcomes }: Outcomes & { usual: UsualShare }): boolean {
  return (
    oddsRatio(outcomes, usual.logOdds) < HELD_RATIO || shareEvidence(outcomes, usual).nats < HELD_EVIDENCE
  );
}

/** @param usual what was when the window began */
function exceedanceOf(
  state: ShareState,
  usual: UsualShare,
  { failures, trials, minutes }: Outcomes & { minutes: number },
  { budgetPerWeek, clumps }: ShareCriteria,
): ShareExceedance {
  const evidence = clumps
    ? clumpedEvidence(
        { failures, trials },
        {
          logOdds: usual.logOdds,
          variance: Math.max(clumps.minVariance, usual.variance),
          dispersion: Math.max(clumps.minDispersion, usual.dispersion),
        },
      )
    : shareEvidence({ failures, trials }, usual);
  const byBudget = openThresholdOf(state, minutes, evidence, budgetPerWeek);
  const openThreshold = clumps ? Math.max(byBudget, UNSEEN * state.maxEvidence) : byBudget;
  const usualShare = toShare(usual.logOdds);
  return { failures, trials, minutes, usualShare, evidence: evidence.nats, openThreshold };
}

/** Most windows are none: this is evaluated for each of them, every minute. */
function isEffect(
  failures: number,
  trials: number,
  share: number,
  { minOthers, minRatio }: ShareCriteria,
): boolean {
  const others = trials - failures;
  if (failures - trials * share < MIN_FAILURES || others < minOthers) return false;
  return failures * (1 - share) >= minRatio * share * others;
}

function strongerOf(left: ShareExceedance | null, right: ShareExceedance): ShareExceedance {
  if (!left) return right;
  return left.evidence / left.openThreshold >= right.evidence / right.openThreshold ? left : right;
}

/**
 * The evidence that a budget of false alarms a week allows: that of one window exceeds y with a chance of about e^−y
 * (Chernoff, 1952); evidence rises only with a failure; and windows of different length are as good as four. A window is as good as new after its own length, or, as far as the wandering explains it, after the time in which
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

/** Whether an open alarm stays open after the minute that runs. */
function isStillOpen(state: ShareState): boolean {
  const { failures, trials, minutes } = recentOutcomes(state);
  const isKnown = trials >= RECENT_TRIALS || minutes >= LEARNED_MINUTES;
  const usual = { ...usualSince(state, state.bin, minutes), logOdds: state.usualLogOdds };
  if (!isKnown || !isProportionate({ failures, trials, usual })) state.heldMinute = state.minute;
  return state.minute - state.heldMinute < QUIET_MINUTES;
}

/** The last ten minutes, or as many as it takes for twenty trials, of a day at most. */
function recentOutcomes(state: ShareState): Outcomes & { minutes: number } {
  let [failures, trials, minutes] = [0, 0, 0];
  const isEnough = () => minutes >= RECENT_MINUTES && trials >= RECENT_TRIALS;
  while (minutes < RING_MINUTES && !isEnough()) {
    // The place of a minute before the first one is empty.
    const minute = state.minute - minutes + RING_MINUTES;
    failures += state.failuresAt(minute);
    trials += state.trialsAt(minute);
    minutes++;
  }
  if (isEnough()) return { failures, trials, minutes };
  [failures, trials] = [0, 0];
  for (let { bin } = state; bin >= state.oldestBin && !isEnough() && minutes < LEARNED_MINUTES; bin--) {
    failures += state.failuresOfBin(bin);
    trials += state.trialsOfBin(bin);
    minutes = Math.max(minutes, state.minute + 1 - state.beginningOfBin(bin));
  }
  return { failures, trials, minutes };
}

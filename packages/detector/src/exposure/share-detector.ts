import { OUTAGE_MINUTES } from '../series/alarm-state.ts';
import { MIN_EVIDENCE } from '../series/excess.ts';
import { FIRST_EVALUATED_MINUTES } from '../state/resolution.ts';
import { findRepeats, recentRate } from './repeated-failures.ts';
import { NO_OUTCOMES, type Outcomes, shareEvidence, toLogOdds, type UsualShare } from './share-evidence.ts';
import { findStrongest, type ShareCriteria, type ShareExceedance } from './share-exceedance.ts';
import { learnBin, learnDispersion, predictShare, usualOf } from './share-level.ts';
import { BIN_MINUTES, BINS, cellOfBin, cellOfMinute, RING_MINUTES, ShareState } from './share-state.ts';
import { recentWindow } from './share-windows.ts';

/** Minimum trials of a bin of `BIN_MINUTES` or more: twelve bins are two hours, or 120 trials where these take longer. */
const BIN_TRIALS = 10;

/** Effect that holds an open alarm, beside its evidence. */
const HELD_RATIO = 1.5;

/** Maximum evidence, in nats, that is recorded where nothing opens: outages that the counts report leave such a share. */
const MAX_RECORDED = 20;
/** Bins after which the recorded evidence joins the largest of the last weeks. */
const RECORDED_BINS = 12;
const RECORD_DECAY = Math.exp(-1 / (14 * RECORDED_BINS));

/**
 * @param minute running minute, since 1970
 * @param areBeside true if the trials are the failures and traffic beside them
 */
export function createShare(minute: number, areBeside = false): ShareState {
  const state = new ShareState(minute);
  state.areBeside = areBeside;
  state.beginBin(0, predictShare(state));
  return state;
}

/** Sets the outcomes of the running minute so far. */
export function setOutcomes(state: ShareState, outcomes: Outcomes): void {
  state.setCell(cellOfMinute(state.minute), outcomes);
}

/**
 * Evaluates the running minute: an alarm does not wait for its end. Trials that follow can lower the evidence again, but
 * the thresholds hold for windows that end at any time.
 */
export function evaluateShare(state: ShareState, criteria: ShareCriteria): ShareExceedance | null {
  if (state.isOpen || state.failures(cellOfMinute(state.minute)) === 0 || isTooYoung(state)) return null;
  const strongest = findStrongest(state, criteria);
  if (!strongest) return null;
  const { evidence, openThreshold, usualShare } = strongest;
  if (evidence <= openThreshold || criteria.isReported(strongest) || !criteria.mayOpen(strongest)) {
    if (!criteria.isUnlearned) state.recordEvidence(Math.min(MAX_RECORDED, evidence));
    return null;
  }
  // Neither reported evidence nor the evidence before it raises the next threshold.
  state.forgetRecentEvidence();
  state.openedMinute = state.minute;
  state.heldMinute = state.minute;
  state.usualLogOdds = toLogOdds(usualShare);
  return strongest;
}

/**
 * Ends the running minute, after its last evaluation. The share of an open alarm is not learned for a day.
 * @returns whether an alarm has closed
 */
export function endMinute(state: ShareState): boolean {
  const { bin, minute, isOpen } = state;
  const isLearning = !isOpen || minute - state.openedMinute >= OUTAGE_MINUTES;
  const hasClosed = isOpen && !isStillOpen(state);
  const [cell, ofBin] = [cellOfMinute(minute), cellOfBin(bin)];
  state.setFailures(ofBin, state.failures(ofBin) + state.failures(cell));
  state.setTrials(ofBin, state.trials(ofBin) + state.trials(cell));
  // Failures that an alarm holds are learned as they are.
  const repeats = isOpen ? 0 : findRepeats(state, minute, recentRate(state));
  state.setRepeats(bin % BINS, Math.max(state.repeats(bin % BINS), Math.min(repeats, state.failures(ofBin))));
  if (isLearning) learnDispersion(state);
  const minutes = minute + 1 - state.beginningOf(bin);
  state.beginMinute(minute + 1);
  if (minutes >= BIN_MINUTES && state.trials(ofBin) >= BIN_TRIALS) {
    if (isLearning) learnBin(state, minutes);
    if ((bin + 1) % RECORDED_BINS === 0) state.shiftEvidence(RECORD_DECAY);
    state.beginBin(bin + 1, predictShare(state));
    if (isLearning) state.usualLogOdds = state.logOddsOf(state.bin);
  }
  if (hasClosed) rearmShare(state);
  return hasClosed;
}

/** Begins a minute, counted since 1970, after minutes that are unknown. */
export function skipToMinute(state: ShareState, minute: number): void {
  const next = minute - state.firstMinute;
  for (let i = Math.max(state.minute + 1, next - RING_MINUTES); i <= next; i++) state.beginMinute(i);
}

/** Resets a share whose alarm has closed, or whose incident a person has resolved: later failures are evaluated by themselves. */
export function rearmShare(state: ShareState): void {
  state.close();
  for (let cell = 0; cell < RING_MINUTES; cell++) state.setCell(cell, NO_OUTCOMES);
  state.beginBin(0, predictShare(state));
}

/** True if too little is known for an alarm. */
export function isTooYoung(state: ShareState): boolean {
  return state.minute < FIRST_EVALUATED_MINUTES;
}

/** True if an open alarm stays open after the running minute: half an hour in which nothing holds it closes it. */
function isStillOpen(state: ShareState): boolean {
  const window = recentWindow(state);
  const isUsual =
    window && isProportionate(window, { ...usualOf(state, window), logOdds: state.usualLogOdds });
  if (!isUsual) state.heldMinute = state.minute;
  return state.minute - state.heldMinute < RING_MINUTES;
}

/** True if no more fail than their trials explain. */
export function isProportionate(outcomes: Outcomes, usual: UsualShare): boolean {
  const { failures, trials } = outcomes;
  const isUsual = failures < HELD_RATIO * Math.exp(usual.logOdds) * (trials - failures);
  return isUsual || shareEvidence(outcomes, usual).nats < MIN_EVIDENCE;
}

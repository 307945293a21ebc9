import { MINUTES_PER_DAY } from '../state/resolution.ts';
import { isProportionate, MAX_RECENT_MINUTES, RECENT_TRIALS, recentOutcomes } from './recent-outcomes.ts';
import type { Outcomes } from './share-evidence.ts';
import { findStrongest, type ShareCriteria, type ShareExceedance } from './share-exceedance.ts';
import { learnBin, learnDispersion, predictShare, repeatsOf, usualSince } from './share-level.ts';
import { RING_MINUTES, ShareState } from './share-state.ts';

/** A bin holds at least so many minutes and trials: twelve are two hours, or 120 trials where these take longer. */
const BIN_MINUTES = 10;
const BIN_TRIALS = 10;

/** An alarm closes after so many minutes in which nothing held it. */
const QUIET_MINUTES = 30;
/** An alarm's share does not become usual before. */
const LEARNED_MINUTES = MINUTES_PER_DAY;

/** Nothing is evaluated before: nothing is usual yet. */
const FIRST_MINUTES = 15;
/** Larger evidence that opens nothing counts for so much, in nats: outages that the counts report leave a share to be found. */
const MAX_RECORDED = 20;
/** The largest evidence of the last weeks is taken up after so many bins. */
const RECORDED_BINS = 12;
const RECORD_DECAY = Math.exp(-1 / (14 * 12));

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
  const { evidence, openThreshold, usualShare } = strongest;
  if (evidence <= openThreshold || criteria.isReported(strongest) || !criteria.mayOpen(strongest)) {
    if (!criteria.isUnlearned) state.recordEvidence(Math.min(MAX_RECORDED, evidence));
    return null;
  }
  // Neither reported evidence nor its beginning raises the next threshold.
  state.forgetRecentEvidence();
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
  state.addToBin(bin, state.failuresAt(minute), state.trialsAt(minute), repeatsOf(state, minute, bin));
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

/** Whether too little is known for an alarm. */
export function isTooYoung(state: ShareState): boolean {
  return state.minute < FIRST_MINUTES;
}

/** Whether an open alarm stays open after the minute that runs. */
function isStillOpen(state: ShareState): boolean {
  const { failures, trials, minutes } = recentOutcomes(state);
  const isKnown = trials >= RECENT_TRIALS || minutes >= MAX_RECENT_MINUTES;
  const usual = { ...usualSince(state, state.bin, minutes), logOdds: state.usualLogOdds };
  if (!isKnown || !isProportionate({ failures, trials, usual })) state.heldMinute = state.minute;
  return state.minute - state.heldMinute < QUIET_MINUTES;
}

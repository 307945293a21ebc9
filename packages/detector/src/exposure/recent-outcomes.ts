import { MINUTES_PER_DAY } from '../state/resolution.ts';
import { type Outcomes, oddsRatio, shareEvidence, type UsualShare } from './share-evidence.ts';
import { logOddsOfWeek, usualSince } from './share-level.ts';
import { RING_MINUTES, type ShareState } from './share-state.ts';

/** What holds an open alarm: the ratio, and evidence whose chance is one in twenty. */
const HELD_RATIO = 1.5;
const HELD_EVIDENCE = 3;
/** What holds an alarm is looked for in at least so many minutes and trials. */
const RECENT_MINUTES = 10;
export const RECENT_TRIALS = 20;
/** They are looked for in no more than a day: an alarm closes where trials are fewer for so long. */
export const MAX_RECENT_MINUTES = MINUTES_PER_DAY;

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

/**
 * Failures of about the last minutes: of more than half an hour those of whole bins, but for one that began as long before
 * or longer, which may have held them for days.
 */
export function failuresWithin(state: ShareState, minutes: number): number {
  const ofRing = recentWindow(state, Math.min(minutes, RING_MINUTES)).failures;
  if (minutes <= RING_MINUTES) return ofRing;
  let [ofBins, end] = [state.failuresAt(state.minute), 0];
  for (let { bin } = state; bin >= state.oldestBin && end < minutes; bin--) {
    end = state.minute + 1 - state.beginningOfBin(bin);
    if (end <= 2 * minutes) ofBins += state.failuresOfBin(bin);
  }
  return Math.max(ofRing, ofBins);
}

/**
 * The last minutes for a comparison of what failed with its trials. The usual share follows a slow growth of failures within
 * hours: in a longer window than is kept, no more of them are usual than in the week.
 */
export function windowBesideTrials(state: ShareState, minutes: number): Outcomes & { usual: UsualShare } {
  const window = recentWindow(state, minutes);
  if (minutes <= RING_MINUTES) return window;
  const logOdds = Math.min(window.usual.logOdds, logOddsOfWeek(state));
  return { ...window, usual: { ...window.usual, logOdds } };
}

/** Whether no more fail of a window than what its trials explain. */
export function isProportionate({ usual, ...outcomes }: Outcomes & { usual: UsualShare }): boolean {
  return (
    oddsRatio(outcomes, usual.logOdds) < HELD_RATIO || shareEvidence(outcomes, usual).nats < HELD_EVIDENCE
  );
}

/** The last ten minutes, or as many as it takes for twenty trials, of a day at most. */
export function recentOutcomes(state: ShareState): Outcomes & { minutes: number } {
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
  for (let { bin } = state; bin >= state.oldestBin && !isEnough() && minutes < MAX_RECENT_MINUTES; bin--) {
    failures += state.failuresOfBin(bin);
    trials += state.trialsOfBin(bin);
    minutes = Math.max(minutes, state.minute + 1 - state.beginningOfBin(bin));
  }
  return { failures, trials, minutes };
}

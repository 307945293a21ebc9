import { MINUTES_PER_DAY } from '../state/resolution.ts';
import { findRepeats, recentRate } from './repeated-failures.ts';
import { NO_OUTCOMES, type Outcomes } from './share-evidence.ts';
import { BIN_MINUTES, BINS, cellOfBin, cellOfMinute, RING_MINUTES, type ShareState } from './share-state.ts';

/** Last minutes, with the running one. */
export interface ShareWindow extends Outcomes {
  minutes: number;
  /** Failures that do not count: see `findRepeats`. One payer is left out of each bin. */
  repeats: number;
  /** Bin in which the window begins, and its outcomes before. */
  bin: number;
  before: Outcomes;
}

/** Minimum trials of a window that holds an alarm. It closes where they are fewer for a day. */
const RECENT_TRIALS = 20;

/** Yields all windows that end now, the shortest first: of half an hour and less by the minute, longer ones by whole bins. */
export function* windowsOf(state: ShareState): Generator<ShareWindow> {
  const { minute, oldestBin } = state;
  const usual = recentRate(state);
  let [failures, trials, repeats, ofBin, bin] = [0, 0, 0, 0, state.bin];
  const add = (cell: number) => {
    failures += state.failures(cell);
    trials += state.trials(cell);
  };
  let before = state.cell(cellOfBin(bin));
  for (let minutes = 1; minutes <= RING_MINUTES && minutes <= minute + 1; minutes++) {
    const first = minute + 1 - minutes;
    while (bin > oldestBin && state.beginningOf(bin) > first) {
      before = state.cell(cellOfBin(--bin));
      repeats += ofBin;
      ofBin = 0;
    }
    add(cellOfMinute(first));
    // The running minute is not in its bin.
    if (minutes > 1) before = difference(before, state.cell(cellOfMinute(first)));
    ofBin = Math.max(ofBin, findRepeats(state, first, usual));
    yield { failures, trials, repeats: Math.min(repeats + ofBin, failures), minutes, bin, before };
  }
  [failures, trials] = [0, 0];
  repeats = Math.max(0, findRepeats(state, minute, usual) - state.repeats(state.bin % BINS));
  add(cellOfMinute(minute));
  for (bin = state.bin; bin >= oldestBin; bin--) {
    add(cellOfBin(bin));
    repeats += state.repeats(bin % BINS);
    const minutes = minute + 1 - state.beginningOf(bin);
    if (minutes > RING_MINUTES) yield { failures, trials, repeats, minutes, bin, before: NO_OUTCOMES };
  }
}

/** Returns the difference, at least 0: minutes before a share was reset are in no bin. */
function difference(all: Outcomes, part: Outcomes): Outcomes {
  return {
    failures: Math.max(0, all.failures - part.failures),
    trials: Math.max(0, all.trials - part.trials),
  };
}

/** Returns the shortest window of so many minutes, or the longest one. */
export function windowOf(state: ShareState, minutes: number): ShareWindow {
  return firstWindow(state, (window) => window.minutes >= minutes);
}

/** Returns the last ten minutes, or as many as it takes for twenty trials; null where a day has fewer. */
export function recentWindow(state: ShareState): ShareWindow | null {
  const isLong = ({ minutes }: ShareWindow) => minutes >= MINUTES_PER_DAY;
  const isKnown = ({ minutes, trials }: ShareWindow) => minutes >= BIN_MINUTES && trials >= RECENT_TRIALS;
  const window = firstWindow(state, (found) => isKnown(found) || isLong(found));
  return isKnown(window) || isLong(window) ? window : null;
}

function firstWindow(state: ShareState, isWanted: (window: ShareWindow) => boolean): ShareWindow {
  let last: ShareWindow | undefined;
  for (const window of windowsOf(state)) {
    last = window;
    if (isWanted(window)) break;
  }
  if (!last) throw new Error('The minute that runs is a window.');
  return last;
}

/**
 * Returns the failures of about the last minutes: beyond half an hour those of whole bins, without one that would more than double
 * the time: it may have held its failures for days.
 */
export function failuresWithin(state: ShareState, minutes: number): number {
  let failures = 0;
  for (const window of windowsOf(state)) {
    if (window.minutes > RING_MINUTES && window.minutes > 2 * minutes) break;
    failures = window.failures;
    if (window.minutes >= minutes) break;
  }
  return failures;
}

import { poissonEvidence } from '../series/evidence.ts';
import { toShare } from './share-evidence.ts';
import { BIN_MINUTES, cellOfMinute, RING_MINUTES, type ShareState } from './share-state.ts';

/** Maximum minutes and retries of one payer. */
const RUN_MINUTES = 3;
const RETRIES = 10;
/** Ratio to the usual failures and one, and to the usual trials, up to which the failures of a run count in any case. */
const MAX_RATIO = 3;
/** Evidence, in nats, that fewer trials succeed than usual: then more than one payer fails. */
const MIN_MISSING = 4;

/** Returns the usual trials of a minute: the mean of the ten before a run that ends now. */
export function recentRate(state: ShareState): number {
  let trials = 0;
  for (let i = 0; i < BIN_MINUTES; i++)
    trials += state.trials(cellOfMinute(state.minute + RING_MINUTES - RUN_MINUTES - i));
  return trials / BIN_MINUTES;
}

/**
 * Returns the failures of a run that ends with a minute that do not count, since they may be one payer's, who tries again and
 * again: up to ten of one to three minutes, beyond three times the usual failures and one, and three times the usual trials.
 * Other payers pay meanwhile: all failures count where fewer trials than usual succeed in a minute or two before it, which are
 * over. Errors come beside their traffic, whatever that is.
 * @param usual trials of a minute, see `recentRate`
 */
export function findRepeats(state: ShareState, minute: number, usual: number): number {
  // Without a usual share, failures count as they are.
  if (state.failures(cellOfMinute(minute)) <= 1 || !state.isKnown) return 0;
  const share = toShare(state.logOddsOf(state.bin));
  let [failures, trials, succeeded, repeats] = [0, 0, 0, 0];
  for (let before = 0; before < RUN_MINUTES; before++) {
    const cell = cellOfMinute(minute - before + RING_MINUTES);
    failures += state.failures(cell);
    trials += state.trials(cell);
    const expected = (before + 1) * usual;
    const counted = Math.min(expected, Math.min(trials, expected) * share + 1);
    repeats = Math.max(repeats, Math.min(RETRIES, failures - Math.max(1, MAX_RATIO * counted)));
    if (before === 0 || state.areBeside) continue;
    succeeded += state.trials(cell) - state.failures(cell);
    const expectedSuccesses = before * usual;
    if (succeeded < expectedSuccesses && poissonEvidence(succeeded, expectedSuccesses) > MIN_MISSING)
      return 0;
  }
  return repeats;
}

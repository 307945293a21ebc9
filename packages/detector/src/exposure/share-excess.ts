import { MIN_EVIDENCE } from '../series/excess.ts';
import { divergence, toShare } from './share-evidence.ts';
import { isEffect, type LeastEffect, type ShareExceedance } from './share-exceedance.ts';
import { repeatsBeside, usualSince } from './share-level.ts';
import { RING_MINUTES, type ShareState } from './share-state.ts';

/**
 * The excess of an open alarm that ends with the running minute, from its latest likely beginning on, as
 * in `findExcess`. The usual share is that of the time before the alarm, which is open: that it may have wandered is no
 * longer of account, and would favour short windows. Null: none is an effect that opens an alarm.
 */
export function latestShareExcess(state: ShareState, least: LeastEffect): ShareExceedance | null {
  const { dispersion } = usualSince(state, state.bin, RING_MINUTES);
  const usualShare = toShare(state.usualLogOdds);
  let excess: ShareExceedance | null = null;
  let [failures, trials, repeats] = [0, 0, 0];
  for (let minutes = 1; minutes <= RING_MINUTES && minutes <= state.minute + 1; minutes++) {
    const first = state.minute + 1 - minutes;
    failures += state.failuresAt(first);
    trials += state.trialsAt(first);
    repeats += repeatsBeside(state, first, usualShare);
    if (!isEffect({ failures, trials, repeats }, usualShare, least)) continue;
    const counted = { failures: failures - repeats, trials: trials - repeats };
    const evidence = divergence(counted, usualShare) / dispersion;
    if (evidence < (excess?.evidence ?? 0) + MIN_EVIDENCE) continue;
    excess = { failures, trials, minutes, usualShare, evidence, openThreshold: evidence };
  }
  return excess;
}

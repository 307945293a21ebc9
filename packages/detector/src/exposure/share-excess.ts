import { MIN_EVIDENCE } from '../series/excess.ts';
import { divergence, toShare } from './share-evidence.ts';
import type { ShareExceedance } from './share-exceedance.ts';
import { usualSince } from './share-level.ts';
import { RING_MINUTES, type ShareState } from './share-state.ts';

/**
 * The excess of an open alarm that ends with the running minute, from its latest likely beginning on, as
 * in `findExcess`. The usual share is that of the time before the alarm, which is open: that it may have wandered is no
 * longer of account, and would favour short windows. Null: no more fail than usual.
 * @param minOthers trials of the excess that have not failed, at least
 */
export function latestShareExcess(state: ShareState, minOthers: number): ShareExceedance | null {
  const { dispersion } = usualSince(state, state.bin, RING_MINUTES);
  const usualShare = toShare(state.usualLogOdds);
  let excess: ShareExceedance | null = null;
  let [failures, trials] = [0, 0];
  for (let minutes = 1; minutes <= RING_MINUTES && minutes <= state.minute + 1; minutes++) {
    const first = state.minute + 1 - minutes;
    failures += state.failuresAt(first);
    trials += state.trialsAt(first);
    if (failures <= trials * usualShare || trials - failures < minOthers) continue;
    const evidence = divergence({ failures, trials }, usualShare) / dispersion;
    if (evidence < (excess?.evidence ?? 0) + MIN_EVIDENCE) continue;
    excess = { failures, trials, minutes, usualShare, evidence, openThreshold: evidence };
  }
  return excess;
}

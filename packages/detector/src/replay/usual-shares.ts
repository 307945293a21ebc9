import { createShare, endMinute, setOutcomes } from '../exposure/share-detector.ts';
import { toShare } from '../exposure/share-evidence.ts';
import { MINUTE_MS } from '../state/durations.ts';

/** Failures and trials of the same consecutive minutes. */
interface OutcomesByMinute {
  startMs: number;
  failures: ArrayLike<number>;
  trials: ArrayLike<number>;
}

/** Returns the usual share of failures in each minute, learned from those before it. */
export function usualShares({ startMs, failures, trials }: OutcomesByMinute): Float64Array {
  const state = createShare(Math.floor(startMs / MINUTE_MS));
  return Float64Array.from(failures, (failed, minute) => {
    const usual = toShare(state.logOddsOf(state.bin));
    setOutcomes(state, { failures: failed, trials: trials[minute] ?? 0 });
    endMinute(state);
    return usual;
  });
}

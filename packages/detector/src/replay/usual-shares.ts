import { createShare, endMinute, setOutcomes } from '../exposure/share-detector.ts';
import { toShare } from '../exposure/share-evidence.ts';
import { MINUTE_MS } from '../state/durations.ts';

/** Failures and trials of consecutive minutes, as many of both. */
interface OutcomesByMinute {
  startMs: number;
  failures: ArrayLike<number>;
  trials: ArrayLike<number>;
}

/** The share of failures that was usual in each minute, learned from those before it. */
export function usualShares({ startMs, failures, trials }: OutcomesByMinute): Float64Array {
  const state = createShare(Math.floor(startMs / MINUTE_MS));
  return Float64Array.from(failures, (failed, minute) => {
    const usual = toShare(state.logOddsOf(state.bin));
    setOutcomes(state, { failures: failed, trials: trials[minute] ?? 0 });
    endMinute(state);
    return usual;
  });
}

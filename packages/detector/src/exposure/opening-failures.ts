import { smallestRise } from '../series/opening-counts.ts';
import { recentWindow } from './recent-outcomes.ts';
import { isTooYoung } from './share-detector.ts';
import { toShare } from './share-evidence.ts';
import { opensAlarm, type ShareCriteria } from './share-exceedance.ts';
import { RING_MINUTES, type ShareState } from './share-state.ts';

/** The shortest listed window; the longest spans all bins: two hours or more. */
const SHORT_MINUTES = 10;

/** How many failures of a window, ending now, would open an alarm. */
export interface OpeningFailures {
  windowMinutes: number;
  /** Payments of the window, with those that failed; of errors, the events beside them. */
  events: number;
  /** So many failures or more, spread over its minutes: of those of one minute fewer may count, see `countFailures`. */
  failures: number;
}

/**
 * What opens an alarm at this moment, by the functions that evaluate minutes: of the events of some of the windows, how many
 * failures. Windows in which no number of failures opens one are left out: they hold too few events.
 */
export function openingFailures(state: ShareState, criteria: ShareCriteria): OpeningFailures[] {
  if (isTooYoung(state)) return [];
  const longest = state.minute + 1 - state.beginningOfBin(state.oldestBin);
  const lengths = [SHORT_MINUTES, RING_MINUTES].filter((minutes) => minutes <= state.minute + 1);
  if (longest > RING_MINUTES) lengths.push(longest);
  return lengths.flatMap((minutes) => {
    const { failures: before, trials, usual } = recentWindow(state, minutes);
    // Errors come beside the traffic of their window; of payments, no more can fail than there are.
    const others = trials - before;
    const windowOf = (failures: number) =>
      criteria.clumps
        ? { failures, trials: others + failures, repeats: 0, minutes }
        : { failures: Math.min(failures, trials), trials, repeats: 0, minutes };
    const expected = Math.ceil(trials * toShare(usual.logOdds));
    const failures = smallestRise((count) => opensAlarm(state, usual, windowOf(count), criteria), expected);
    if (failures === null) return [];
    return [{ windowMinutes: minutes, events: criteria.clumps ? others : trials, failures }];
  });
}

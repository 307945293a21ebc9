import { smallestRise } from '../series/opening-counts.ts';
import { isTooYoung } from './share-detector.ts';
import { toShare } from './share-evidence.ts';
import { opensAlarm, type ShareCriteria } from './share-exceedance.ts';
import { BIN_MINUTES, RING_MINUTES, type ShareState } from './share-state.ts';
import { windowOf } from './share-windows.ts';

/** Failures of a window, ending now, that would open an alarm. */
export interface OpeningFailures {
  windowMinutes: number;
  /** Payments of the window, with the failed ones; or the events beside errors. */
  events: number;
  /** Minimum failures that open one, spread over its minutes: within three minutes fewer may count, see `findRepeats`. */
  failures: number;
}

/**
 * Returns the failures that open an alarm now in some of the windows, by the functions that evaluate minutes. Windows in which no
 * number of failures opens one are left out: they hold too few events.
 */
export function openingFailures(state: ShareState, criteria: ShareCriteria): OpeningFailures[] {
  if (isTooYoung(state)) return [];
  const longest = windowOf(state, Number.POSITIVE_INFINITY).minutes;
  const lengths = [BIN_MINUTES, RING_MINUTES, longest].filter(
    (minutes, i) => minutes <= longest && (i < 2 || minutes > RING_MINUTES),
  );
  return lengths.flatMap((minutes) => {
    const window = windowOf(state, minutes);
    const { failures: before, trials } = window;
    // Errors come beside the traffic of their window, failed payments are among the payments.
    const others = trials - before;
    const withFailures = (failures: number) =>
      criteria.clumps
        ? { ...window, failures, trials: others + failures, repeats: 0 }
        : { ...window, failures: Math.min(failures, trials), repeats: 0 };
    const expected = Math.ceil(trials * toShare(state.logOddsOf(window.bin)));
    const failures = smallestRise((count) => opensAlarm(state, withFailures(count), criteria), expected);
    if (failures === null) return [];
    return [{ windowMinutes: minutes, events: criteria.clumps ? others : trials, failures }];
  });
}

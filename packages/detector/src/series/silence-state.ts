import { DAY_MS, HOUR_MS, WEEK_MS } from '../state/durations.ts';
import { defineView } from '../state/record-view.ts';

export const HOURS = DAY_MS / HOUR_MS;
export const WEEKDAYS = WEEK_MS / DAY_MS;
export const KEPT_MAXIMA = 16;

/** State of the silence of a series, by name: a view of its record. */
export const SilenceState = defineView({
  /** Events of the hours of the day, and behind them of the weekdays; and the hours in which they came. */
  sums: HOURS + WEEKDAYS,
  times: HOURS + WEEKDAYS,
  /** Largest gaps of the last blocks. */
  maxima: KEPT_MAXIMA,
  /** Events of the running minute, hour and day, and their known minutes. */
  minuteCount: 'float',
  hourCount: 'float',
  hourKnown: 'float',
  dayCount: 'float',
  dayKnown: 'float',
  /** True if a late event came in the running minute. */
  hasLate: 'flag',
  /** Events a minute in the running hour, the part of it that came lately, and the sums that give this part. */
  rate: 'float',
  factor: 'float',
  seen: 'float',
  predicted: 'float',
  /** Expected events, minutes, and unknown minutes since the last event. */
  expected: 'float',
  elapsed: 'float',
  elapsedUnknown: 'float',
  /** Sums over gaps: of expected events, and of their squares. */
  gaps: 'float',
  squares: 'float',
  status: 'float',
  /** Minutes since the last event when the silence was reported, and the expected events until then. */
  reported: 'float',
  reportedExpected: 'float',
  /** Last two blocks in which a silence was reported, by their numbers from 1 on; 0: none. */
  reportedBlock: 'float',
  reportedBlockBefore: 'float',
  blocks: 'float',
  blockMinutes: 'float',
  blockEvents: 'float',
  blockMaximum: 'float',
  meanBlockMinutes: 'float',
  meanBlockEvents: 'float',
});
export type SilenceState = InstanceType<typeof SilenceState>;

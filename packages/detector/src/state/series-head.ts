import { defineView } from './record-view.ts';
import { MEMORIES } from './resolution.ts';

/** Seasonal periods, by which bands are kept: the quarter hour of the day, and the hour of the week. */
export const SLOT_OF_DAY = 0;
export const HOUR_OF_WEEK = 1;
export type Period = typeof SLOT_OF_DAY | typeof HOUR_OF_WEEK;

/** Fields that a series has at each step, in front of those whose length depends on the step. Lists of two are by side. */
export const SeriesHead = defineView({
  /** Bits of the steps of the ring with an event. */
  filledSteps: 'double',
  /** Steps since the first, known or not. */
  age: 'float',
  /** Expected count of the next step, and the shape of the gamma distribution of that expectation. */
  level: 'float',
  shape: 'float',
  /** Variance over mean, at least 1, of the series and of the project's other series. */
  dispersion: 'float',
  pooledDispersion: 'float',
  /** Discounted sums of squared deviations, and of the counts that they belong to. */
  deviations: 'float',
  expectations: 'float',
  /** Age at the end of the last empty step that has left the ring; 0: there was none. */
  lastEmptyAge: 'float',
  /** Counts and number of the known steps of the running slot of the day. */
  slotSum: 'float',
  slotSteps: 'float',
  /** Discounted sums of counts and of known steps, by memory. */
  sum: MEMORIES,
  time: MEMORIES,
  /** Steps and events of the running block. */
  blockSteps: 2,
  blockEvents: 2,
  /** Number of closed blocks, and their mean length. */
  blocks: 2,
  meanBlockSteps: 2,
  /** Status of the last alarm, the age at which it opened and closed, and the quiet steps since. */
  status: 2,
  openedAge: 2,
  closedAge: 2,
  quietSteps: 2,
  /** Expected count of a step when it opened; 0: no alarm that could be recovered from. */
  levelBefore: 2,
  /** Index of the suppression reason that was reported last, so that it is reported once. */
  reportedReason: 2,
  /** The highest and the lowest rate of the running period, and of the one before it, by period; NaN: not known. */
  runningHigh: 2,
  runningLow: 2,
  previousHigh: 2,
  previousLow: 2,
});

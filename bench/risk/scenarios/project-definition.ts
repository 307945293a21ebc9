import type { RhythmName } from './rhythms.ts';
import type { Severity } from './severities.ts';

/** Events of one series. Its counts are negative binomial around rate × rhythm × wandering of its source. */
export interface Stream {
  source: string;
  type: string;
  severity: Severity;
  /** On average over a day of the rhythm `shop` and `mild`; in working hours of the rhythm `office`. */
  perMinute: number;
  rhythm: RhythmName;
  /** Variance over mean; 0 for events of a trouble that are evenly spaced. */
  dispersion: number;
  /** Usual share of payments that fail, and come as errors. */
  failingShare?: number;
  /** Distinct errors among them. */
  errorGroups?: number;
  /** Begins their messages; other words make other groups. */
  errorName?: string;
}

/** One event each period. */
export interface Job {
  source: string;
  type: string;
  severity: Severity;
  everyMinutes: number;
  /** The first of each period, counted from a Monday's midnight. */
  atMinute: number;
  /** Standard deviation of the time at which it comes. */
  jitterMinutes: number;
}

export interface Project {
  name: string;
  streams: Stream[];
  jobs: Job[];
}

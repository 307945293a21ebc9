import type { Outcomes } from './share-evidence.ts';

/** A minute counts at most thrice: its usual failures and one more, and its usual trials. */
const MAX_RATIO = 3;
/** So many failures of a minute may be of one payer, who tries again and again. */
const RETRIES = 10;

/** Usual share and trials of a minute. */
export interface UsualMinute {
  share: number;
  /** Trials of a minute. */
  trials: number;
}

/**
 * Failures of a minute that count: ten tries of one payer are not ten payers. Beyond what a minute may hold by itself the
 * first ten do not count. The others are trials that have failed, and leave with them.
 */
export function countFailures({ failures, trials }: Outcomes, usual: UsualMinute): number {
  const ofMinute = MAX_RATIO * Math.min(trials * usual.share + 1, Math.max(1 / MAX_RATIO, usual.trials));
  return Math.min(failures, Math.max(ofMinute, failures - RETRIES));
}

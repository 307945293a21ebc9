import type { Severity } from '../types.ts';

/** Events of one series in a bucket of a few seconds. Times are those of receipt. */
export interface CountDelta {
  type: string;
  severity: Severity;
  source: string | null;
  bucketMs: number;
  count: number;
  /** Receipt of the newest of them. */
  lastMs: number;
  /** They are of many series that are not told apart; type and source are those of one of them. */
  isOther?: true;
  /** They were captured too long before their receipt to be evaluated: see `LateSources`. */
  isLate?: true;
}

/** Error group that was seen before. */
export type KnownError = Pick<ErrorDelta, 'fingerprint' | 'atMs'>;

/** Errors of one kind, as the fingerprint tells them apart. */
export interface ErrorDelta {
  /** 16 hex characters. */
  fingerprint: string;
  /** What an earlier algorithm makes of the same errors: where one of these is known, they are known. */
  earlierFingerprints?: string[];
  type: string;
  severity: Severity;
  source: string | null;
  /** The beginning of the message of one of them. */
  message: string;
  atMs: number;
  /** All of them are late: they are known from then on, and no news. */
  isLate?: true;
}

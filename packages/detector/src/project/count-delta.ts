import type { Severity } from '../types.ts';

/** Events of one series in a bucket of a few seconds, by their receipt. */
export interface CountDelta {
  type: string;
  severity: Severity;
  source: string | null;
  bucketMs: number;
  count: number;
  /** Receipt of the newest of them. */
  lastMs: number;
  /** True if they are of many series that are not told apart; type and source are those of one of them. */
  isOther?: true;
  /** True if they are not evaluated: they came too long after their capture (see `LateSources`), or waited in a spool. */
  isLate?: true;
}

/** Error group that was seen before. */
export type KnownError = Pick<ErrorDelta, 'fingerprint' | 'atMs'>;

/** Errors of one group, by their fingerprint. */
export interface ErrorDelta {
  /** 16 hex characters. */
  fingerprint: string;
  /** Fingerprints of the same errors by earlier algorithms: the errors are known if one of these is. */
  earlierFingerprints?: string[];
  type: string;
  severity: Severity;
  source: string | null;
  /** Beginning of the message of one of them. */
  message: string;
  atMs: number;
  /** True if all of them are late: they become known, and are not reported. */
  isLate?: true;
}

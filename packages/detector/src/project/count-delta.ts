import type { FieldCondition, Severity } from '../types.ts';

/** Events of one series in a bucket of a few seconds, by their receipt. */
export interface CountDelta {
  type: string;
  severity: Severity;
  source: string | null;
  bucketMs: number;
  count: number;
  /** Receipt of the newest of them. */
  lastMs: number;
  /** Number of them that fulfil each condition of the project's rules, by `fieldKey`; missing: none does. */
  fields?: Record<string, number>;
  /** True if they are of many series that are not told apart; type and source are those of one of them. */
  isOther?: true;
  /** True if they are not evaluated: they came too long after their capture (see `LateSources`), or waited in a spool. */
  isLate?: true;
}

/** Returns a key that is equal for the same condition, and different for any other. */
export function fieldKey({ path, operator, value }: FieldCondition): string {
  return JSON.stringify([path, operator, value]);
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

import type { LineLimits } from './waiting-lines.ts';

/** Maximum body of a request with many events, before and after decompression. */
export const MAX_BULK_BYTES = 10 * 1024 * 1024;
/** Bytes of a request with many events after which other requests get their turn. */
export const BYTES_A_TURN = 128 * 1024;

export interface IntakeLimits extends LineLimits {
  /**
   * Number of waiting items with which a commit begins at once: its own cost is spread thinly enough. A commit of so
   * many events is a long one.
   */
  enoughItems: number;
}

export const INTAKE_LIMITS: IntakeLimits = {
  enoughItems: 64,
  maxWaiting: 8_192,
  maxWaitingBytes: 128 * 1024 * 1024,
  maxBatchItems: 512,
  maxBatchBytes: 2 * 1024 * 1024,
};

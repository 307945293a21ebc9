import type { LineLimits } from './waiting-lines.ts';

/** Maximum body of a request with many events, before and after decompression. */
export const MAX_BULK_BYTES = 10 * 1024 * 1024;
/** Maximum events of a request of OTLP or Sentry: more than their clients send at once by default. */
export const MAX_REQUEST_EVENTS = 10_000;
/**
 * Length of the events of such a request, as texts, from which on no further one is made: each may hold copies of what the
 * request has once. It is less than the share of one project in what waits for a commit.
 */
export const MAX_REQUEST_CHARACTERS = 48 * 1024 * 1024;

/** Events of one request so far, and their length as texts. */
export interface RequestSize {
  events: number;
  characters: number;
}

export function isFull({ events, characters }: RequestSize): boolean {
  return events >= MAX_REQUEST_EVENTS || characters >= MAX_REQUEST_CHARACTERS;
}

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

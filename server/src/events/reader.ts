import type { EventRow } from './schema.ts';
import type { Severity } from './severity.ts';

/** Which events: every condition that is not null must hold. Times in milliseconds, both bounds exclusive. */
export interface EventConditions {
  /** UUID; the caller has checked that it is one. */
  projectId: string | null;
  type: string | null;
  severity: Severity | null;
  source: string | null;
  correlationId: string | null;
  fingerprint: string | null;
  words: string[];
  afterMs: number | null;
  beforeMs: number | null;
}

export interface SeverityCounts {
  bucketStartMs: number;
  severity: Severity;
  count: number;
}

/**
 * How stored events are read: the seam for another event store. Organization first, everywhere; events of
 * deleted projects are never among the answers.
 */
export interface EventReader {
  /** Newest first; one more than `limit`, so that the caller sees whether there is a next page. */
  list(
    organizationId: string,
    conditions: EventConditions,
    page: { cursor: string | null; limit: number },
  ): Promise<EventRow[]>;

  find(organizationId: string, eventId: string): Promise<EventRow | null>;

  /** Counts by bucket and severity, buckets without events left out; both bounds of the conditions are set. */
  histogram(
    organizationId: string,
    conditions: EventConditions & { afterMs: number; beforeMs: number },
    intervalMs: number,
  ): Promise<SeverityCounts[]>;
}

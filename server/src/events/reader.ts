import type { EventRow, ListedEventRow } from './event-row.ts';
import type { Exclusions } from './exclusions.ts';
import type { GroupFingerprints } from './group-queries.ts';
import type { TopBy } from './schema.ts';
import type { SeriesCondition } from './series-condition.ts';
import type { Severity } from './severity.ts';
import type { CorrelationPair, PayloadValue } from './value-filters.ts';

/** Conditions on events: every one that is not null must hold. Times in milliseconds, both bounds exclusive. */
export interface EventConditions {
  /** UUID; the caller has checked that it is one. */
  projectId: string | null;
  /** Folded name. */
  environment: string | null;
  /** True if only events of the project's watched environments match. */
  isWatched: boolean;
  type: string | null;
  severity: Severity | null;
  source: string | null;
  correlationId: string | null;
  fingerprint: string | null;
  release: string | null;
  /** Null: no condition. A group that is unknown has no events. */
  group: GroupFingerprints | null;
  /** A series of the detector; null: no condition. */
  series: SeriesCondition | null;
  /** Pairs of the correlation that an event must have. */
  pairs: CorrelationPair[];
  /** Values within the payload. */
  paths: PayloadValue[];
  words: string[];
  not: Exclusions;
  afterMs: number | null;
  beforeMs: number | null;
}

/** Events that an incident lists, by the time of capture. */
export interface IncidentEvents {
  projectId: string;
  /** UUID of the lead group, which stands for the group that has its events now; null: by the series. */
  groupId: string | null;
  series: SeriesCondition;
  fromMs: number;
  /** Last moment; null: it has not ended. */
  untilMs: number | null;
}

export interface BoundedConditions extends EventConditions {
  afterMs: number;
  beforeMs: number;
}

/** Progress of a scan of the newest events that ended before the range did. */
export interface Scan {
  /** Time from which on all events were scanned. */
  fromMs: number;
  /** Number of scanned events. */
  events: number;
  /** Set for a scan from the oldest event on: all events before `fromMs` were scanned instead. */
  isForward?: true;
}

export interface PageRequest {
  /** Id of the event after which the page begins; null: it begins with the newest. */
  cursor: string | null;
  limit: number;
  /** True to leave out the payloads. */
  omitPayload: boolean;
  /** Order by time; default: the newest first. */
  order?: 'asc' | 'desc';
}

export interface EventPage {
  rows: ListedEventRow[];
  /** Null: the page misses nothing down to its last event, or to the end of the range. */
  scan: Scan | null;
  /**
   * Id after which the next page begins; null: there is none. A page may have fewer events than its limit and a next
   * one.
   */
  next: string | null;
}

export interface Histogram {
  counts: { bucketStartMs: number; severity: Severity; count: number }[];
  /** Null: the whole range was counted. */
  scan: Scan | null;
}

export interface CorrelationKeys {
  /** Most events first; times in milliseconds. */
  keys: { key: string; count: number; firstMs: number; lastMs: number }[];
  /** Null: all events of the range were scanned. */
  scan: Scan | null;
}

export interface TopQuery {
  by: TopBy;
  limit: number;
  /** Number of equal parts that the range is cut into. */
  parts: number;
  nowMs: number;
}

export interface TopShares {
  value: string | null;
  /** Message of the newest event, for fingerprints. */
  label: string | null;
  /** UUID, for fingerprints that were counted in groups. */
  groupId: string | null;
  /** Worst severity. */
  severity: Severity;
  /** Count of each part of the range; fractions if a minute lies across parts. Their sum is whole. */
  shares: number[];
}

export interface Top {
  values: TopShares[];
  /** Null: the whole range was counted. */
  scan: Scan | null;
  /** Counted range, if it differs from the requested one; bounds exclusive, as there. */
  range: { afterMs: number; beforeMs: number } | null;
}

/**
 * Reads of stored events: the interface for another event store. Organization first, everywhere; events of deleted
 * projects are never among the answers. Filters without an index scan a bounded number of the newest events. Reads
 * end when their signal is aborted.
 */
export interface EventReader {
  /** Newest first. */
  list(
    organizationId: string,
    conditions: EventConditions,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<EventPage>;

  find(organizationId: string, eventId: string): Promise<EventRow | null>;

  /** Fingerprints of a group's events; null: the organization has no such group. */
  findGroup(organizationId: string, groupId: string): Promise<GroupFingerprints | null>;

  /** The events that an incident lists; null: none, or the organization has no such incident. */
  findIncident(organizationId: string, incidentId: string): Promise<IncidentEvents | null>;

  /** Counts by bucket and severity, buckets without events left out. */
  histogram(
    organizationId: string,
    conditions: BoundedConditions,
    intervalMs: number,
    signal: AbortSignal,
  ): Promise<Histogram>;

  /** Keys of their correlation under which events have a value. */
  correlationKeys(
    organizationId: string,
    conditions: EventConditions,
    value: string,
    signal: AbortSignal,
  ): Promise<CorrelationKeys>;

  /** Most frequent first. */
  top(
    organizationId: string,
    conditions: BoundedConditions,
    query: TopQuery,
    signal: AbortSignal,
  ): Promise<Top>;
}

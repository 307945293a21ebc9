import type { ListedEventRow } from './event-row.ts';
import type { Exclusions } from './exclusions.ts';
import type { FieldCondition } from './field-schema.ts';
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

/** Range of time in milliseconds. */
export interface TimeRange {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
}

/** Place of a group; UUIDs. The number 0 is that of the group of all further events. */
export interface GroupPlace {
  id: string;
  projectId: string;
  number: number;
  /** Capture of its first event. */
  firstSeen: Date;
}

export interface GroupReleaseRow {
  /** Null: events without a release. */
  version: string | null;
  events: number;
  deployedAt: Date | null;
  /** Order of appearance; null: events without a release, or one that retention has removed. */
  number: number | null;
}

/** Part of the list after a place: the last number, and how many releases without one were listed. */
export interface ReleasePage {
  after: { value: number; number: number } | null;
  limit: number;
}

export interface GroupReleases {
  /** One more than the page holds, if there is a next one. */
  releases: GroupReleaseRow[];
  /** Number of events that were counted; 0 for a page without any. */
  readEvents: number;
  /** Null: all events were counted. */
  scan: Scan | null;
}

export interface GroupEnvironments {
  counts: { environment: string; count: number }[];
  /** Null: all events were counted. */
  scan: Scan | null;
}

/** First and last time of the events of a group that are kept, and the last release that they name; null: none. */
export interface GroupEnds {
  firstSeen: Date | null;
  lastSeen: Date | null;
  lastRelease: string | null;
}

export interface LeadFacts {
  /** Number of different users among the events that were read. */
  users: number;
  /** The same of the events of each group, by its UUID. */
  groupUsers: Record<string, number>;
  /** False: there are earlier events, or some that were not kept. */
  isComplete: boolean;
  newestId: string | null;
  newestMessage: string | null;
}

/** Ranges in which events are counted by their group. */
export interface RangesOfGroups {
  projectId: string;
  /** UUID of the only group that is counted, with those merged into it, each apart; default: all of the project. */
  groupId?: string | null;
  ranges: readonly TimeRange[];
  /** Series to which the newest of them must belong as evidence; null: all are counted. */
  series: SeriesCondition | null;
}

/** Counts of a group in one of several ranges, by severity as it is stored. */
export interface GroupRangeCounts extends Record<Severity, number> {
  groupId: string;
}

/** Releases and users that the newest events of a group name, releases with how many of the events each has. */
export interface GroupNames {
  groupId: string;
  readEvents: number;
  /** False: there may be earlier events in the range. */
  isComplete: boolean;
  users: number;
  releases: { version: string | null; count: number }[];
  otherReleases: number;
}

export interface NewestEvent {
  id: string;
  correlationId: string;
  fingerprint: string;
  type: string;
  severity: Severity;
  source: string | null;
}

/** Events of a minute; minutes without any are left out. */
export interface MinuteEvents {
  minuteMs: number;
  events: number;
}

export type LeadCondition = Pick<IncidentEvents, 'projectId' | 'groupId' | 'series'>;

/** Events whose failed payments are added up: those of a group, else of a series. */
export type PaymentRange = Pick<IncidentEvents, 'projectId' | 'groupId' | 'fromMs' | 'untilMs'> &
  Partial<Pick<IncidentEvents, 'series'>> & {
    /** Maximum failed payments of the project that are added, the newest. */
    maxRead: number;
  };

/** Failed payments of one currency. */
export interface AddedPayments {
  /** Null: those without an amount. */
  currency: string | null;
  count: number;
  /** Sum in the smallest unit, which a number may not hold. */
  amount: string | null;
  /** Earliest payment that was added; null: none was left out. */
  firstId: string | null;
}

export interface SharesRequest {
  projectId: string;
  /** Series of errors. */
  series: SeriesCondition;
  fromMs: number;
  slotMs: number;
}

/** Events of a release since a time; the release is empty if they name none. */
export interface ReleaseEvents {
  release: string;
  failed: number;
  others: number;
  firstFailedMs: number | null;
}

export interface ReleaseCounts {
  /** True if the units of the slots are users. */
  isByUser: boolean;
  /** Units of a release in a slot by its number, those with their first error and those without one; no events without a release. */
  slots: { slot: number; release: string; failed: number; others: number }[];
  events: ReleaseEvents[];
  /** Set if earlier events were not read. */
  scannedFromMs: number | null;
}

export interface ReleaseCounting {
  projectId: string;
  version: string;
  /** Number of the environment; null: all watched ones. */
  environment: number | null;
  /** Range of the capture; null: unbounded. */
  fromMs: number | null;
  beforeMs: number | null;
  maxScanned: number;
}

export interface CountedGroup {
  id: string;
  severity: Severity;
  firstRelease: string | null;
  events: number;
}

export interface ReleaseTotals {
  events: number;
  errors: number;
  /** Groups with events, merged ones as their heads. */
  groups: CountedGroup[];
  /** Null: all events of the range were counted. */
  scan: Scan | null;
}

/** Condition on events, and a further one on a field of their payload. */
export interface FieldCounting {
  projectId: string;
  type: string | null;
  source: string | null;
  severity: Severity | null;
  field: FieldCondition;
  /** Maximum newest events whose payload is read. */
  maxRead: number;
}

/** Events of one severity in a bucket. */
export interface FieldCount {
  bucketMs: number;
  severity: Severity;
  count: number;
  /** Number of them that fulfil the condition on a field. */
  matching: number;
}

export interface FieldCounts {
  /** Oldest first. */
  counts: FieldCount[];
  /** Time from which all events are counted; null: the whole range. */
  completeFromMs: number | null;
  /** Number of events that were read. */
  events: number;
}

/** Group, or headline of an incident since its window began, whose newest events are listed. */
export interface EventSubject {
  groupId: string | null;
  type: string | null;
  source: string | null;
  fingerprint: string | null;
  /** Null: any. */
  eventSeverity: Severity | null;
  /** Null: it has no window. */
  from: Date | null;
}

export interface SubjectEventRow {
  groupId: string | null;
  correlation: Record<string, unknown>;
}

import type { Queryable } from '../database/database.ts';
import type { EventRow } from './event-row.ts';
import type { GroupFingerprints } from './group-queries.ts';
import type {
  AddedPayments,
  BoundedConditions,
  CorrelationKeys,
  EventConditions,
  EventPage,
  EventSubject,
  FieldCounting,
  FieldCounts,
  GroupEnds,
  GroupEnvironments,
  GroupNames,
  GroupPlace,
  GroupRangeCounts,
  GroupReleases,
  Histogram,
  IncidentEvents,
  LeadCondition,
  LeadFacts,
  MinuteEvents,
  NewestEvent,
  PageRequest,
  PaymentRange,
  RangesOfGroups,
  ReleaseCounting,
  ReleaseCounts,
  ReleaseEvents,
  ReleasePage,
  ReleaseTotals,
  SharesRequest,
  SubjectEventRow,
  TimeRange,
  Top,
  TopQuery,
} from './read-types.ts';
import type { SeriesCondition } from './series-condition.ts';

/**
 * Reads of stored events: the interface for another event store. Organization first, everywhere; events of deleted
 * projects are never among the answers. Filters without an index scan a bounded number of the newest events. Reads
 * end when their signal is aborted. They may need events of the range of their conditions, else of any time.
 */
export interface EventReader {
  /** Newest first. */
  list(
    organizationId: string,
    conditions: EventConditions,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<EventPage>;

  /** A page of the events of a group with those that were merged into it. The caller checks it as for `EventReads`. */
  listOfGroup(
    organizationId: string,
    group: GroupPlace,
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

  /** Reads on a connection of the caller: in its transaction, or at its place among the expensive reads. */
  on(database: Queryable): EventReads;
}

/**
 * Reads of stored events on one connection. “Rows” says of which time of capture a read may need events, for a store that
 * keeps the old ones elsewhere. Reads of groups and of leads are of those with all that were merged into them. The caller
 * checks that the project is one of the organization and not deleted.
 */
export interface EventReads {
  /** Connection that they run on, for what is read or written beside them. */
  readonly database: Queryable;

  /**
   * The releases that the events of a group name, the last in the order of appearance first; none for the catch-all group.
   * Rows: the newest 20,000 of the group, of any time.
   */
  countReleasesOfGroup(organizationId: string, groupId: string, page: ReleasePage): Promise<GroupReleases>;

  /** Counts events of a group by environment; null for the catch-all group. Rows: its newest 5,000, of any time. */
  countEnvironmentsOfGroup(organizationId: string, groupId: string): Promise<GroupEnvironments | null>;

  /** Ends of a group's events. Rows: of each of its fingerprints the oldest and the newest 1,000, of any time. */
  findEndsOfGroup(organizationId: string, groupId: string): Promise<GroupEnds>;

  /** Facts that the newest of an incident's events name. Rows: the newest 20,000 in its time. */
  findLeadFacts(organizationId: string, events: IncidentEvents): Promise<LeadFacts>;

  /** Failed payments by currency, that of the most payments first. Rows: the newest ones in the range. */
  addFailedPayments(organizationId: string, range: PaymentRange): Promise<AddedPayments[]>;

  /**
   * Counts by group: at most a row for each range and each group of the project, or for one group and those merged into it. Rows: of
   * the ranges; with a series the newest 20,000 of each.
   */
  countByGroup(organizationId: string, ranges: RangesOfGroups): Promise<GroupRangeCounts[]>;

  /** Releases and users that events of groups name. Rows: the newest 1,000 of each group in the range. */
  listNamesOfGroups(
    organizationId: string,
    groupIds: readonly string[],
    range: { fromMs: number; toMs: number | null },
  ): Promise<GroupNames[]>;

  /** Minute of the first event of a project that is left; null: it has none. Rows: the oldest. */
  findFirstMinute(organizationId: string, projectId: string): Promise<Date | null>;

  /** The newest events of a series. Rows: the newest 20,000 of the project since a time before the alarm opened. */
  listNewestOfSeries(
    organizationId: string,
    events: { projectId: string; series: SeriesCondition },
    since: Date,
  ): Promise<NewestEvent[]>;

  /** Counts events by the minute of capture, oldest first. Rows: of the range. */
  listMinutesOfFingerprints(
    organizationId: string,
    events: { projectId: string; fingerprints: string[] },
    range: TimeRange,
  ): Promise<MinuteEvents[]>;

  /** Counts the events of a lead. Rows: of the range, a part of a minute. */
  countOfLead(organizationId: string, lead: LeadCondition, range: TimeRange): Promise<number>;

  /** Time of the first event of a lead; null: there is none. Rows: of the range, a part of a minute. */
  findFirstOfLead(organizationId: string, lead: LeadCondition, range: TimeRange): Promise<number | null>;

  /**
   * Errors of a series and the other events beside them, by release. Rows: the newest 20,000 of the project since the time of the
   * request, which is of an open incident.
   */
  countByRelease(organizationId: string, request: SharesRequest): Promise<ReleaseCounts>;

  /** The same in a time before, without events that name no release. Rows: the newest 20,000 of that time. */
  countByReleaseBefore(
    organizationId: string,
    request: SharesRequest,
    lengthMs: number,
  ): Promise<Omit<ReleaseEvents, 'firstFailedMs'>[]>;

  /** Counts events of a release, in all and by group. Rows: the newest ones of the range. */
  countRelease(organizationId: string, request: ReleaseCounting): Promise<ReleaseTotals>;

  /** Counts by severity in buckets of receipt. Rows: the newest 200,000 of the range, 30 days at most. */
  listFieldCounts(organizationId: string, counting: FieldCounting, range: TimeRange): Promise<FieldCounts>;

  /**
   * The newest events of a subject of silences. Rows: of a group the newest 100 of its fingerprint, of any time; else
   * the newest 5,000 of the project since its window began.
   */
  listOfSubject(organizationId: string, projectId: string, subject: EventSubject): Promise<SubjectEventRow[]>;

  /** True if an event of a project is stored. Rows: that of the id, of any time. */
  isStored(organizationId: string, projectId: string, eventId: string): Promise<boolean>;
}

import type { Static } from 'typebox';
import type { Severity } from '../events/severity.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import type { Current, FollowedIncident } from './current-values.ts';
import { leadOf, sinceOf } from './lead.ts';
import { eventsQueryOf, mainGroupOf, rateOf, releaseOf } from './lead-facts.ts';
import type { Incident, IncidentChanges, Status, TimelineEntry } from './schema.ts';
import { readEvidence, type StoredEvidence } from './stored-evidence.ts';

/** An incident as the database holds it; all ids are UUIDs. */
export interface IncidentRow {
  id: string;
  organizationId: string;
  projectId: string;
  title: string;
  titleOrigin: Incident['titleOrigin'];
  severity: Severity;
  status: Status;
  origin: Incident['origin'];
  /** Of origin `schedule`. */
  scheduleId: string | null;
  eventCount: number;
  evidence: StoredEvidence | null;
  type: string | null;
  source: string | null;
  previousIncidentId: string | null;
  investigatorId: string | null;
  /** The detector's own number of it, which counts up within the project; null for one that people made. */
  riskNumber: number | null;
  createdAt: Date;
  updatedAt: Date;
  resolvedAt: Date | null;
}

export function toIncident(row: IncidentRow, current: Current | null = null): Incident {
  return {
    id: toId('inc', row.id),
    title: row.title,
    titleOrigin: row.titleOrigin,
    severity: row.severity,
    status: row.status,
    projectId: toId('proj', row.projectId),
    organizationId: toId('org', row.organizationId),
    origin: row.origin,
    scheduleId: row.scheduleId && toId('sch', row.scheduleId),
    lead: leadOf(row),
    since: isoTime(sinceOf(row)),
    until: row.resolvedAt && isoTime(row.resolvedAt),
    eventCount: row.eventCount,
    mainGroup: mainGroupOf(row),
    rate: rateOf(row),
    release: releaseOf(row),
    eventsQuery: eventsQueryOf(row),
    evidence: row.evidence && readEvidence(row.evidence, row.status === 'resolved' ? 'past' : 'present'),
    current,
    previousIncidentId: row.previousIncidentId && toId('inc', row.previousIncidentId),
    investigatorId: row.investigatorId && toId('usr', row.investigatorId),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    resolvedAt: row.resolvedAt && isoTime(row.resolvedAt),
  };
}

/** An incident as far as its current values depend on it. */
export function followedOf(row: IncidentRow): FollowedIncident {
  return { ...row, lead: leadOf(row), since: sinceOf(row), isResolved: row.status === 'resolved' };
}

/** @param name null: the account was deleted */
export function toPerson(userId: string, name: string | null): { id: string; name: string } {
  return { id: toId('usr', userId), name: name ?? 'Former member' };
}

export interface TimelineRow {
  id: string;
  createdAt: Date;
  userId: string | null;
  userName: string | null;
  before: IncidentChanges | null;
  after: IncidentChanges | null;
  note: string | null;
}

export function toTimelineEntry(row: TimelineRow): Static<typeof TimelineEntry> {
  return {
    id: toId('tle', row.id),
    at: isoTime(row.createdAt),
    by: row.userId ? toPerson(row.userId, row.userName) : null,
    from: row.before,
    to: row.after,
    note: row.note,
  };
}

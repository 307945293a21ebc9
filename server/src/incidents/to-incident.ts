import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import type { Current, FollowedIncident } from './current-values.ts';
import { leadOf, sinceOf } from './lead.ts';
import { eventsQueryOf, mainGroupOf, rateOf, releaseOf } from './lead-fields.ts';
import type { IncidentRow } from './rows.ts';
import type { Incident } from './schema.ts';
import { readEvidence } from './stored-evidence.ts';

/** An incident as the API answers it. */
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
    links: row.links,
    lead: leadOf(row),
    since: isoTime(sinceOf(row)),
    until: row.resolvedAt && isoTime(row.resolvedAt),
    eventCount: row.eventCount,
    mainGroup: mainGroupOf(row),
    rate: rateOf(row),
    release: releaseOf(row),
    eventsQuery: eventsQueryOf(row),
    evidence: row.evidence && readEvidence(row.evidence, row.status === 'resolved'),
    current,
    previousIncidentId: row.previousIncidentId && toId('inc', row.previousIncidentId),
    investigatorId: row.investigatorId && toId('usr', row.investigatorId),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    resolvedAt: row.resolvedAt && isoTime(row.resolvedAt),
  };
}

/** The part of an incident that its current values depend on. */
export function followedOf(row: IncidentRow): FollowedIncident {
  return { ...row, lead: leadOf(row), since: sinceOf(row), isResolved: row.status === 'resolved' };
}

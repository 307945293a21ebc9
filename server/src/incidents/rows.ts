import type { Static } from 'typebox';
import type { Severity } from '../events/severity.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import type { Incident, IncidentChanges, IncidentLink, Status, TimelineEntry } from './schema.ts';
import type { StoredEvidence } from './stored-evidence.ts';

/** An incident as the database stores it; all ids are UUIDs. */
export interface IncidentRow {
  id: string;
  organizationId: string;
  projectId: string;
  title: string;
  titleOrigin: Incident['titleOrigin'];
  severity: Severity;
  status: Status;
  origin: Incident['origin'];
  /** Set for origin `schedule`. */
  scheduleId: string | null;
  links: IncidentLink[];
  eventCount: number;
  evidence: StoredEvidence | null;
  type: string | null;
  source: string | null;
  previousIncidentId: string | null;
  investigatorId: string | null;
  /** The detector's number of the incident, which counts up within the project; null for one that people created. */
  riskNumber: number | null;
  createdAt: Date;
  updatedAt: Date;
  resolvedAt: Date | null;
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

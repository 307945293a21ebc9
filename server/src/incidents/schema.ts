import { type Static, Type } from 'typebox';
import { Severity } from '../events/severity.ts';
import { Cursor, Limit, Name, Nullable, Timestamp } from '../platform/http/schemas.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';

export const STATUSES = ['open', 'investigating', 'resolved'] as const;
export const Status = Type.Enum([...STATUSES]);
export type Status = Static<typeof Status>;

/** Why a risk incident opened, in one sentence and in numbers. */
export const Evidence = Type.Object({
  sentence: Type.String(),
  rule: Type.Enum(['burst', 'critical', 'spread']),
  series: Type.Object({ type: Type.String(), source: Nullable(Type.String()) }),
  observed: Type.Number({ description: 'Events in the window.' }),
  expected: Type.Number({ description: 'Events that a window of this length held before, on average.' }),
  windowSeconds: Type.Number(),
  from: Timestamp,
  to: Timestamp,
});
export type Evidence = Static<typeof Evidence>;

export const Incident = Type.Object({
  id: Type.String({ examples: ['inc_01h455vb4pex5vsknk084sn02q'] }),
  title: Type.String(),
  severity: Severity,
  status: Status,
  projectId: Type.String(),
  organizationId: Type.String(),
  origin: Type.Enum(['manual', 'risk']),
  eventCount: Type.Integer(),
  evidence: Type.Unsafe<Evidence | null>({ ...Evidence, type: ['object', 'null'] }),
  previousIncidentId: Nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
});
export type Incident = Static<typeof Incident>;

/** The fields that a timeline entry may change. */
const Changes = Type.Object({
  status: Type.Optional(Status),
  title: Type.Optional(Type.String()),
  severity: Type.Optional(Severity),
});
export type IncidentChanges = Static<typeof Changes>;

export const TimelineEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  by: Type.Unsafe<{ id: string; name: string } | null>({
    type: ['object', 'null'],
    properties: { id: { type: 'string' }, name: { type: 'string' } },
    required: ['id', 'name'],
    description: 'Null: Tocsin itself.',
  }),
  from: Type.Unsafe<IncidentChanges | null>({ ...Changes, type: ['object', 'null'] }),
  to: Type.Unsafe<IncidentChanges | null>({ ...Changes, type: ['object', 'null'] }),
  note: Nullable(Type.String()),
});

export const IncidentWithTimeline = Type.Object({
  ...Incident.properties,
  timeline: Type.Array(TimelineEntry),
});

export const IncidentQuery = Type.Object({
  project_id: Type.Optional(Type.String({ maxLength: 256 })),
  status: Type.Optional(Status),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

export const IncidentCountsQuery = Type.Object({
  project_id: Type.Optional(Type.String({ maxLength: 256 })),
});

export const IncidentCounts = Type.Object({
  open: Type.Integer(),
  investigating: Type.Integer(),
  resolved: Type.Integer(),
});
export type IncidentCounts = Static<typeof IncidentCounts>;

export const NewIncident = Type.Object({
  title: Name('Short description'),
  severity: Severity,
  projectId: Type.String({ maxLength: 256 }),
  status: Type.Optional(Type.Enum(['open', 'investigating'], { default: 'open' })),
});

export const IncidentPatch = Type.Object({
  status: Type.Optional(Status),
  title: Type.Optional(Name('Short description')),
  severity: Type.Optional(Severity),
});

export const NewNote = Type.Object({
  note: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'Plain text.' }),
});

/** An incident as the database holds it; all ids are UUIDs. */
export interface IncidentRow {
  id: string;
  organizationId: string;
  projectId: string;
  title: string;
  severity: Severity;
  status: Status;
  origin: 'manual' | 'risk';
  eventCount: number;
  evidence: Evidence | null;
  type: string | null;
  source: string | null;
  previousIncidentId: string | null;
  createdAt: Date;
  updatedAt: Date;
  resolvedAt: Date | null;
}

export function toIncident(row: IncidentRow): Incident {
  return {
    id: toId('inc', row.id),
    title: row.title,
    severity: row.severity,
    status: row.status,
    projectId: toId('proj', row.projectId),
    organizationId: toId('org', row.organizationId),
    origin: row.origin,
    eventCount: row.eventCount,
    evidence: row.evidence,
    previousIncidentId: row.previousIncidentId && toId('inc', row.previousIncidentId),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    resolvedAt: row.resolvedAt && isoTime(row.resolvedAt),
  };
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
    by: row.userId ? { id: toId('usr', row.userId), name: row.userName ?? 'Somebody who left' } : null,
    from: row.before,
    to: row.after,
    note: row.note,
  };
}

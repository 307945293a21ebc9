import type { Severity } from '../events/severity.ts';
import type { Evidence } from './evidence-schema.ts';
import type { IncidentRow } from './rows.ts';
import type { IncidentChanges, IncidentLink, Status } from './schema.ts';
import { sentenceOf } from './stored-evidence.ts';

/**
 * Change of one incident as a value: pure functions decide it, `writeIncident` writes it. `incident` is the row
 * afterwards; `entries` are appended to its timeline in order.
 */
export type IncidentMutation =
  | { kind: 'none' }
  | { kind: 'create'; incident: Omit<IncidentRow, 'id'>; entries: TimelineChange[] }
  | { kind: 'update'; incident: IncidentRow; entries: TimelineChange[] };

export type CreateMutation = Extract<IncidentMutation, { kind: 'create' }>;
export type UpdateMutation = Extract<IncidentMutation, { kind: 'update' }>;

/** Timeline entry; the write adds its id and time. */
interface TimelineChange {
  /** Null: the service itself. */
  userId: string | null;
  before: IncidentChanges | null;
  after: IncidentChanges | null;
  note: string | null;
}

export interface NewIncidentInput {
  organizationId: string;
  projectId: string;
  title: string;
  severity: Severity;
  status: Exclude<Status, 'resolved'>;
  cause: IncidentCause;
}

/** Origin of an incident: a person created it, the detector opened it, a declared schedule failed, or alerts fired. */
type IncidentCause =
  | { kind: 'manual'; userId: string }
  | RiskCause
  | { kind: 'schedule'; scheduleId: string; sentence: string; previousIncidentId: string | null }
  | AlertCause;

interface AlertCause {
  kind: 'alertmanager' | 'grafana';
  /** Name of its worst alert. */
  type: string;
  source: string | null;
  sentence: string;
  links: IncidentLink[];
  previousIncidentId: string | null;
}

interface RiskCause {
  kind: 'risk';
  number: number;
  type: string | null;
  source: string | null;
  eventCount: number;
  evidence: Evidence;
  previousIncidentId: string | null;
}

/** Creates an incident, with the first entry of its timeline. */
export function createIncident(input: NewIncidentInput, atMs: number): CreateMutation {
  const { organizationId, projectId, title, severity, status, cause } = input;
  const risk = cause.kind === 'risk' ? cause : null;
  const subject = 'source' in cause ? cause : null;
  const userId = cause.kind === 'manual' ? cause.userId : null;
  const createdAt = new Date(atMs);
  return {
    kind: 'create',
    incident: {
      organizationId,
      projectId,
      title,
      titleOrigin: userId === null ? 'generated' : 'person',
      severity,
      status,
      origin: cause.kind,
      scheduleId: cause.kind === 'schedule' ? cause.scheduleId : null,
      links: 'links' in cause ? cause.links : [],
      eventCount: risk?.eventCount ?? 0,
      evidence: risk?.evidence ?? null,
      type: subject?.type ?? null,
      source: subject?.source ?? null,
      previousIncidentId: cause.kind === 'manual' ? null : cause.previousIncidentId,
      investigatorId: status === 'investigating' ? userId : null,
      riskNumber: risk?.number ?? null,
      createdAt,
      updatedAt: createdAt,
      resolvedAt: null,
    },
    entries: [
      {
        userId,
        before: null,
        after: { status, title, severity },
        note: sentenceOfCause(cause),
      },
    ],
  };
}

function sentenceOfCause(cause: IncidentCause): string | null {
  if (cause.kind === 'manual') return null;
  return cause.kind === 'risk' ? sentenceOf(cause.evidence) : cause.sentence;
}

/** The fields of a patch that differ from the incident; null if none does. */
export function diffFields(
  incident: IncidentRow,
  patch: IncidentChanges,
): { from: IncidentChanges; to: IncidentChanges } | null {
  const changed = (['status', 'title', 'severity'] as const).filter(
    (field) => patch[field] !== undefined && patch[field] !== incident[field],
  );
  if (changed.length === 0) return null;
  return {
    from: Object.fromEntries(changed.map((field) => [field, incident[field]])),
    to: Object.fromEntries(changed.map((field) => [field, patch[field]])),
  };
}

/**
 * Updates an incident. One timeline entry records the differences and the note; without both there is none.
 * @param incident may have other fields changed already, which the timeline does not record: evidence and counts
 */
export function updateIncident(
  incident: IncidentRow,
  patch: IncidentChanges,
  { userId, note }: { userId: string | null; note: string | null },
  atMs: number,
): UpdateMutation {
  const diff = diffFields(incident, patch);
  const updatedAt = new Date(atMs);
  const after: IncidentRow = { ...incident, ...diff?.to, updatedAt };
  if (diff?.to.title !== undefined) after.titleOrigin = userId === null ? 'generated' : 'person';
  if (diff?.to.status !== undefined) after.resolvedAt = diff.to.status === 'resolved' ? updatedAt : null;
  if (diff?.to.status === 'investigating') after.investigatorId ??= userId;
  const entry = { userId, before: diff?.from ?? null, after: diff?.to ?? null, note };
  return { kind: 'update', incident: after, entries: diff || note !== null ? [entry] : [] };
}

/** Adds a note to the timeline of an incident. */
export function annotateIncident(
  incident: IncidentRow,
  note: string,
  userId: string | null,
  atMs: number,
): UpdateMutation {
  return updateIncident(incident, {}, { userId, note }, atMs);
}

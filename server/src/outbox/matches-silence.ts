import type { Severity } from '../events/severity.ts';

/** Scope of a silence; null: any value. Ids are UUIDs. */
export interface SilenceScope {
  projectId: string | null;
  type: string | null;
  source: string | null;
  severity: Severity | null;
  groupId: string | null;
  scheduleId: string | null;
  correlation: { key: string; value: string } | null;
}

/** The fields of an incident or a group that silences compare. */
export interface SilenceSubject {
  projectId: string;
  /** Fields of an incident's headline; null: it is about no single one. */
  type: string | null;
  source: string | null;
  severity: Severity;
  /** Id of the group itself; null for an incident. */
  groupId: string | null;
  /** Schedule behind an incident; null for all other subjects. */
  scheduleId: string | null;
  /** The newest events behind it; empty if no silence needs them. */
  events: readonly SubjectEvent[];
}

interface SubjectEvent {
  groupId: string | null;
  correlation: Readonly<Record<string, unknown>>;
}

/**
 * Minimum share of the newest events behind an incident that a silence of a group, or of a value of the correlation,
 * must cover: with less, something else goes on beside it.
 */
const COVERED_PART = 0.9;

/**
 * True if a silence is about an incident or a group: everything that it names must match. The caller checks the time.
 */
export function matchesSilence(scope: SilenceScope, subject: SilenceSubject): boolean {
  const { groupId, correlation } = scope;
  return (
    matchesFields(scope, subject) &&
    (groupId === null ||
      subject.groupId === groupId ||
      covers(subject, (event) => event.groupId === groupId)) &&
    (correlation === null ||
      covers(subject, (event) => isValue(event.correlation[correlation.key], correlation.value)))
  );
}

/** The part of the match that needs no events. */
export function matchesFields(
  { projectId, type, source, severity, scheduleId }: SilenceScope,
  subject: Omit<SilenceSubject, 'events'>,
): boolean {
  return (
    (projectId === null || projectId === subject.projectId) &&
    (type === null || type === subject.type) &&
    (source === null || source === subject.source) &&
    (severity === null || severity === subject.severity) &&
    (scheduleId === null || scheduleId === subject.scheduleId)
  );
}

/** True if the events behind a subject decide, once its fields match. */
export function needsEvents(
  { groupId, correlation }: SilenceScope,
  subject: { groupId: string | null },
): boolean {
  return correlation !== null || (groupId !== null && subject.groupId === null);
}

function covers({ events }: SilenceSubject, isCovered: (event: SubjectEvent) => boolean): boolean {
  return events.length > 0 && events.filter(isCovered).length >= events.length * COVERED_PART;
}

/** Compares values by their text, as a search for `correlation.KEY=VALUE` does. */
function isValue(stored: unknown, wanted: string): boolean {
  if (typeof stored === 'string') return stored === wanted;
  return (typeof stored === 'number' || typeof stored === 'boolean') && String(stored) === wanted;
}

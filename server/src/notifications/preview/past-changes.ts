import type { Severity } from '../../events/severity.ts';
import { notifiedChangeOf } from '../../incidents/notified-change.ts';
import type { SubjectChange } from '../../outbox/decide-delivery.ts';
import type { PastEntry, PastGroup } from './queries.ts';

/** Converts timeline entries to changes, by the function that puts changes into the outbox. */
export function changesOfEntries(organizationId: string, entries: readonly PastEntry[]): SubjectChange[] {
  // An entry states the severity only if it changes: the first one of an incident states it.
  const severities = new Map<string, Severity>();
  return entries.flatMap(({ incidentId, projectId, severity: today, scheduleId, at, ...entry }) => {
    const severity = entry.after?.severity ?? severities.get(incidentId) ?? today;
    severities.set(incidentId, severity);
    const kind = entry.before === null && entry.after?.title !== undefined ? 'create' : 'update';
    const row = { id: incidentId, organizationId, projectId, severity, scheduleId, updatedAt: at };
    const change = notifiedChangeOf({ kind, entries: [entry] }, row);
    return change ? [change] : [];
  });
}

export function changesOfGroups(
  organizationId: string,
  change: 'group_new' | 'group_regressed',
  groups: readonly PastGroup[],
): SubjectChange[] {
  return groups.map(({ groupId, projectId, severity, at }) => ({
    organizationId,
    projectId,
    subjectKind: 'group',
    subjectId: groupId,
    change,
    severity,
    severityBefore: severity,
    at,
  }));
}

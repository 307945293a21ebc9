import type { Transaction } from '../database/database.ts';
import { newUuid } from '../platform/ids.ts';
import { insertFrame, insertTimelineEntry, updateIncident } from './queries.ts';
import { type IncidentChanges, type IncidentRow, toIncident } from './schema.ts';

/**
 * Writes the row, the timeline entry and the frame of a change; null where nothing differs. The caller holds
 * `lockFrames` and the incident's row.
 * @param by `userId` null: the service itself, which says why in a note
 */
export async function applyChanges(
  transaction: Transaction,
  before: IncidentRow,
  patch: IncidentChanges,
  by: { userId: string | null; note?: string },
): Promise<{ incident: IncidentRow; from: IncidentChanges; to: IncidentChanges } | null> {
  const changed = (['status', 'title', 'severity'] as const).filter(
    (field) => patch[field] !== undefined && patch[field] !== before[field],
  );
  if (changed.length === 0) return null;
  const from: IncidentChanges = Object.fromEntries(changed.map((field) => [field, before[field]]));
  const to: IncidentChanges = Object.fromEntries(changed.map((field) => [field, patch[field]]));

  const updatedAt = new Date(transaction.now());
  const incident: IncidentRow = { ...before, ...to, updatedAt };
  if (to.title !== undefined) incident.titleOrigin = by.userId === null ? 'generated' : 'person';
  if (to.status === 'resolved') incident.resolvedAt = updatedAt;
  await updateIncident(transaction, incident);
  await insertTimelineEntry(transaction, incident.id, {
    id: newUuid(updatedAt.getTime()),
    createdAt: updatedAt,
    userId: by.userId,
    before: from,
    after: to,
    note: by.note ?? null,
  });
  await broadcastUpdate(transaction, incident);
  return { incident, from, to };
}

/** Adds a note to the timeline, which is a change of the incident: it is broadcast. */
export async function writeNote(
  transaction: Transaction,
  before: IncidentRow,
  note: string,
  userId: string | null,
): Promise<IncidentRow> {
  const updatedAt = new Date(transaction.now());
  const incident = { ...before, updatedAt };
  await updateIncident(transaction, incident);
  await insertTimelineEntry(transaction, incident.id, {
    id: newUuid(updatedAt.getTime()),
    createdAt: updatedAt,
    userId,
    before: null,
    after: null,
    note,
  });
  await broadcastUpdate(transaction, incident);
  return incident;
}

export function broadcastUpdate(transaction: Transaction, incident: IncidentRow): Promise<void> {
  return insertFrame(transaction, incident.organizationId, {
    projectId: incident.projectId,
    event: 'incident_updated',
    data: toIncident(incident),
    createdAt: incident.updatedAt,
  });
}

import type pg from 'pg';
import type { Session } from '../accounts/queries.ts';
import { recordChange } from '../audit/queries.ts';
import type { Severity } from '../events/severity.ts';
import type { Clock } from '../platform/clock.ts';
import { inTransaction, type Pool } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { newUuid, toId, toUuid } from '../platform/ids.ts';
import { findIncident, insertFrame, insertTimelineEntry, lockFrames, updateIncident } from './queries.ts';
import { type IncidentChanges, type IncidentRow, STATUSES, toIncident } from './schema.ts';

/**
 * Changes status, title or severity for a user: one timeline entry, one broadcast, one audit record. Status
 * moves forward only; what is the same already is no change.
 * @throws ApiError `not_found`, `invalid_transition`
 */
export async function changeIncident(
  pool: Pool,
  clock: Clock,
  session: Session,
  id: string,
  patch: IncidentChanges,
): Promise<IncidentRow> {
  return inTransaction(pool, async (transaction) => {
    const before = await lockIncident(transaction, session.organizationId, id);
    if (patch.status && STATUSES.indexOf(patch.status) < STATUSES.indexOf(before.status)) {
      throw new ApiError(
        'invalid_transition',
        `An incident that is ${before.status} cannot become ${patch.status}.`,
      );
    }
    const wanted = { ...patch, ...(patch.title !== undefined && { title: patch.title.trim() }) };
    const changes = await applyChanges(transaction, clock, before, wanted, session.user.id);
    if (!changes) return before;
    await recordChange(transaction, clock, actorOf(session), {
      action: 'incident.changed',
      targetId: toId('inc', before.id),
      before: changes.from,
      after: changes.to,
    });
    return changes.incident;
  });
}

/** @throws ApiError `not_found` */
export async function addNote(
  pool: Pool,
  clock: Clock,
  session: Session,
  id: string,
  note: string,
): Promise<IncidentRow> {
  return inTransaction(pool, async (transaction) => {
    const before = await lockIncident(transaction, session.organizationId, id);
    const updatedAt = new Date(clock.now());
    const incident = { ...before, updatedAt };
    await updateIncident(transaction, incident);
    await insertTimelineEntry(transaction, incident.id, {
      id: newUuid(updatedAt.getTime()),
      createdAt: updatedAt,
      userId: session.user.id,
      before: null,
      after: null,
      note,
    });
    await recordChange(transaction, clock, actorOf(session), {
      action: 'incident.note_added',
      targetId: toId('inc', incident.id),
      before: null,
      after: { note },
    });
    await broadcastUpdate(transaction, incident);
    return incident;
  });
}

/**
 * Counts further events of an open risk incident; a worse event also makes the incident worse, which is a
 * change with a timeline entry of its own. One broadcast.
 */
export async function raiseIncident(
  transaction: pg.PoolClient,
  clock: Clock,
  incident: IncidentRow,
  more: { eventCount: number; severity: Severity },
): Promise<void> {
  const raised = {
    ...incident,
    eventCount: incident.eventCount + more.eventCount,
    updatedAt: new Date(clock.now()),
  };
  if (more.severity === 'critical' && incident.severity !== 'critical') {
    await applyChanges(transaction, clock, raised, { severity: 'critical' }, null);
    return;
  }
  await updateIncident(transaction, raised);
  await broadcastUpdate(transaction, raised);
}

/** Writes the row, the timeline entry and the frame of a change; null where nothing differs. */
async function applyChanges(
  transaction: pg.PoolClient,
  clock: Clock,
  before: IncidentRow,
  patch: IncidentChanges,
  userId: string | null,
): Promise<{ incident: IncidentRow; from: IncidentChanges; to: IncidentChanges } | null> {
  const changed = (['status', 'title', 'severity'] as const).filter(
    (field) => patch[field] !== undefined && patch[field] !== before[field],
  );
  if (changed.length === 0) return null;
  const from: IncidentChanges = Object.fromEntries(changed.map((field) => [field, before[field]]));
  const to: IncidentChanges = Object.fromEntries(changed.map((field) => [field, patch[field]]));

  const updatedAt = new Date(clock.now());
  const incident: IncidentRow = { ...before, ...to, updatedAt };
  if (to.status === 'resolved') incident.resolvedAt = updatedAt;
  await updateIncident(transaction, incident);
  await insertTimelineEntry(transaction, incident.id, {
    id: newUuid(updatedAt.getTime()),
    createdAt: updatedAt,
    userId,
    before: from,
    after: to,
    note: null,
  });
  await broadcastUpdate(transaction, incident);
  return { incident, from, to };
}

function broadcastUpdate(transaction: pg.PoolClient, incident: IncidentRow): Promise<void> {
  return insertFrame(transaction, incident.organizationId, {
    projectId: incident.projectId,
    event: 'incident_updated',
    data: toIncident(incident),
    createdAt: incident.updatedAt,
  });
}

async function lockIncident(
  transaction: pg.PoolClient,
  organizationId: string,
  id: string,
): Promise<IncidentRow> {
  await lockFrames(transaction);
  const incidentId = toUuid('inc', id);
  const incident = incidentId && (await findIncident(transaction, organizationId, incidentId, 'lock'));
  if (!incident) throw new ApiError('not_found', 'There is no such incident.');
  return incident;
}

function actorOf(session: Session) {
  return { organizationId: session.organizationId, userId: session.user.id };
}

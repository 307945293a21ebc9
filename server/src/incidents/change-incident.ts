import type pg from 'pg';
import type { Session } from '../accounts/queries.ts';
import { recordChange } from '../audit/queries.ts';
import type { Clock } from '../platform/clock.ts';
import { inTransaction, type Pool } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { toId, toUuid } from '../platform/ids.ts';
import { applyChanges, writeNote } from './apply-changes.ts';
import { findIncident, lockFrames } from './queries.ts';
import { type IncidentChanges, type IncidentRow, STATUSES } from './schema.ts';

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
    const changes = await applyChanges(transaction, clock, before, wanted, { userId: session.user.id });
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
    const incident = await writeNote(transaction, clock, before, note, session.user.id);
    await recordChange(transaction, clock, actorOf(session), {
      action: 'incident.note_added',
      targetId: toId('inc', incident.id),
      before: null,
      after: { note },
    });
    return incident;
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

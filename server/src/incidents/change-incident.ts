import { inTransaction, type Store, type Transaction } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { Session } from '../tenancy/accounts/queries.ts';
import { recordChange } from '../tenancy/audit/record-change.ts';
import { applyChanges, writeNote } from './apply-changes.ts';
import { countTimelineByPeople, lockFrames } from './queries.ts';
import { requireIncident } from './require-incident.ts';
import { type IncidentChanges, type IncidentRow, STATUSES } from './schema.ts';

/** Changes and notes of people on one incident. What moves its status on is never refused: that has an end by itself. */
const MAX_ENTRIES_BY_PEOPLE = 1_000;

/**
 * Changes status, title or severity for a user: one timeline entry, one broadcast, one audit record. Status
 * moves forward only; what is the same already is no change.
 * @throws ApiError `not_found`, `invalid_transition`, `limit_reached`
 */
export async function changeIncident(
  store: Store,
  session: Session,
  id: string,
  patch: IncidentChanges,
): Promise<IncidentRow> {
  return inTransaction(store, async (transaction) => {
    const before = await lockIncident(transaction, session.organizationId, id);
    if (patch.status && STATUSES.indexOf(patch.status) < STATUSES.indexOf(before.status)) {
      throw new ApiError(
        'invalid_transition',
        `An incident that is ${before.status} cannot become ${patch.status}.`,
      );
    }
    const wanted = { ...patch, ...(patch.title !== undefined && { title: patch.title.trim() }) };
    const changes = await applyChanges(transaction, before, wanted, { userId: session.user.id });
    if (!changes) return before;
    // After the change, so that what changes nothing is refused nothing.
    if (changes.to.status === undefined) await assertRoomInTimeline(transaction, before.id);
    await recordChange(transaction, session, {
      action: 'incident.changed',
      target: ['inc', before.id],
      before: changes.from,
      after: changes.to,
    });
    return changes.incident;
  });
}

/** @throws ApiError `not_found`, `limit_reached` */
export async function addNote(
  store: Store,
  session: Session,
  id: string,
  note: string,
): Promise<IncidentRow> {
  return inTransaction(store, async (transaction) => {
    const before = await lockIncident(transaction, session.organizationId, id);
    const incident = await writeNote(transaction, before, note, session.user.id);
    await assertRoomInTimeline(transaction, before.id);
    await recordChange(transaction, session, {
      action: 'incident.note_added',
      target: ['inc', incident.id],
      before: null,
      after: { note },
    });
    return incident;
  });
}

/** Looked at first: the lock on frames is one for everybody, and is taken only for what exists. */
async function lockIncident(
  transaction: Transaction,
  organizationId: string,
  id: string,
): Promise<IncidentRow> {
  await requireIncident(transaction, organizationId, id);
  await lockFrames(transaction);
  return requireIncident(transaction, organizationId, id, 'lock');
}

/** Within the transaction that has added an entry. */
async function assertRoomInTimeline(transaction: Transaction, incidentId: string): Promise<void> {
  if ((await countTimelineByPeople(transaction, incidentId)) <= MAX_ENTRIES_BY_PEOPLE) return;
  throw new ApiError(
    'limit_reached',
    `An incident takes at most ${MAX_ENTRIES_BY_PEOPLE} notes and changes by people.`,
  );
}

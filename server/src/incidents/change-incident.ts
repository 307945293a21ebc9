import { inTransaction, type Store, type Transaction } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { recordChange } from '../tenancy/audit/record-change.ts';
import type { Session } from '../tenancy/session.ts';
import { INCIDENT_ERRORS } from './errors.ts';
import { lockFrames } from './frame-queries.ts';
import { annotateIncident, diffFields, updateIncident } from './mutation.ts';
import { requireIncident } from './require-incident.ts';
import type { IncidentRow } from './rows.ts';
import type { IncidentChanges } from './schema.ts';
import { STATUSES } from './statuses.ts';
import { countTimelineByPeople } from './timeline-queries.ts';
import { writeIncident } from './write-incident.ts';

/**
 * Maximum changes and notes by people on one incident. A change of status is never refused: their number is limited
 * by itself.
 */
const MAX_ENTRIES_BY_PEOPLE = 1_000;

/**
 * Changes status, title or severity for a user: one timeline entry, one broadcast, one audit record. Status moves
 * forward only; an equal value is no change.
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
        INCIDENT_ERRORS.invalid_transition,
        `An incident that is ${before.status} cannot become ${patch.status}.`,
      );
    }
    const wanted = { ...patch, ...(patch.title !== undefined && { title: patch.title.trim() }) };
    const diff = diffFields(before, wanted);
    if (!diff) return before;
    const by = { userId: session.user.id, note: null };
    const incident = await writeIncident(transaction, updateIncident(before, diff.to, by, transaction.now()));
    // After the change, so that a request without a change is never refused.
    if (diff.to.status === undefined) await assertRoomInTimeline(transaction, before.id);
    await recordChange(transaction, session, {
      action: 'incident.changed',
      target: ['inc', before.id],
      before: diff.from,
      after: diff.to,
    });
    return incident;
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
    const mutation = annotateIncident(before, note, session.user.id, transaction.now());
    const incident = await writeIncident(transaction, mutation);
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

/**
 * Reads the incident first: the lock on frames is one for all organizations, and is acquired only if the incident
 * exists.
 */
export async function lockIncident(
  transaction: Transaction,
  organizationId: string,
  id: string,
): Promise<IncidentRow> {
  await requireIncident(transaction, organizationId, id);
  await lockFrames(transaction);
  return requireIncident(transaction, organizationId, id, 'lock');
}

/** Checks the limit after an entry was added, within its transaction. */
export async function assertRoomInTimeline(transaction: Transaction, incidentId: string): Promise<void> {
  if ((await countTimelineByPeople(transaction, incidentId)) <= MAX_ENTRIES_BY_PEOPLE) return;
  throw new ApiError(
    'limit_reached',
    `An incident can have up to ${MAX_ENTRIES_BY_PEOPLE} notes and changes by people.`,
  );
}

import { inTransaction, type Store, type Transaction } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { recordChange } from '../tenancy/audit/record-change.ts';
import type { Session } from '../tenancy/session.ts';
import { assertRoomInTimeline, lockIncident } from './change-incident.ts';
import { INCIDENT_ERRORS } from './errors.ts';
import { UNDO_MS } from './limits.ts';
import { diffFields, updateIncident } from './mutation.ts';
import { hasNewerOfCause } from './queries.ts';
import type { IncidentRow } from './rows.ts';
import { findResolution } from './timeline-queries.ts';
import { writeIncident } from './write-incident.ts';

/** Continues the incident's schedule with it; the transaction holds `lockFrames`. */
export type ContinueSchedule = (transaction: Transaction, incident: IncidentRow) => Promise<void>;

/**
 * Undoes the last resolution of an incident, within 10 minutes: it returns to its former state. The detector has
 * dropped the incident by then; an alarm of the same series continues in it (`findOngoingOf`).
 * @throws ApiError `not_found`; `forbidden` for a member who did not resolve it; `invalid_transition` if it is not
 * resolved, the 10 minutes are over, or a newer incident has the same cause; `limit_reached`
 */
export async function undoResolution(
  store: Store,
  session: Session,
  { id, continueSchedule }: { id: string; continueSchedule: ContinueSchedule },
): Promise<IncidentRow> {
  return inTransaction(store, async (transaction) => {
    const before = await lockIncident(transaction, session.organizationId, id);
    const resolution = before.status === 'resolved' && (await findResolution(transaction, before.id));
    if (!resolution) throw refusal(`An incident that is ${before.status} has no resolution to undo.`);
    if (session.role !== 'OWNER' && resolution.userId !== session.user.id) {
      throw new ApiError('forbidden', 'Only the user who resolved it, or an OWNER, can undo a resolution.');
    }
    const nowMs = transaction.now();
    if (nowMs - resolution.createdAt.getTime() > UNDO_MS) {
      throw refusal('A resolution can be undone for 10 minutes.');
    }
    if (await hasNewerOfCause(transaction, before)) {
      throw refusal('A newer incident has the same cause: continue there.');
    }
    const status = resolution.before?.status ?? 'open';
    const by = { userId: session.user.id, note: null };
    const incident = await writeIncident(transaction, updateIncident(before, { status }, by, nowMs));
    await continueSchedule(transaction, incident);
    // Otherwise undoing and resolving again could go on for ever.
    await assertRoomInTimeline(transaction, before.id);
    const diff = diffFields(before, { status });
    await recordChange(transaction, session, {
      action: 'incident.changed',
      target: ['inc', before.id],
      before: diff?.from ?? null,
      after: diff?.to ?? null,
    });
    return incident;
  });
}

const refusal = (detail: string) => new ApiError(INCIDENT_ERRORS.invalid_transition, detail);

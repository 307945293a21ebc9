import type { Static } from 'typebox';
import { inTransaction, type Store, type Transaction } from '../database/database.ts';
import { lockFrames } from '../incidents/frame-queries.ts';
import { changedFields, pick } from '../tenancy/audit/changed-fields.ts';
import { recordChange } from '../tenancy/audit/record-change.ts';
import { generateSecret } from '../tenancy/secret-format.ts';
import type { Session } from '../tenancy/session.ts';
import { updatePingHash } from './ping-queries.ts';
import { deleteSchedule, updateSettings } from './queries.ts';
import { requireSchedule, type SchedulePath } from './require-schedule.ts';
import type { ScheduleRow } from './rows.ts';
import { resolveScheduleIncident } from './schedule-incident.ts';
import { changeSettings, reviewAtOf } from './schedule-settings.ts';
import type { SchedulePatch } from './schema.ts';

const AUDITED = [
  'name',
  'cron',
  'intervalSeconds',
  'timeZone',
  'graceSeconds',
  'maxRuntimeSeconds',
  'failureAfter',
  'recoverAfter',
  'severity',
  'type',
  'source',
  'pausedAt',
] as const;

/**
 * Changes the expectations of a schedule. A pause resolves its unresolved incident.
 * @throws ApiError `not_found`, `validation_failed`
 */
export async function changeSchedule(
  store: Store,
  session: Session,
  path: SchedulePath,
  patch: Static<typeof SchedulePatch>,
): Promise<ScheduleRow> {
  return inTransaction(store, async (transaction) => {
    const before = await lockSchedule(transaction, session, path);
    const after = changeSettings(before, patch, transaction.now());
    const fields = changedFields(before, after, AUDITED);
    if (fields.length === 0) return before;
    if (after.pausedAt) {
      await endIncident(transaction, session, before, 'The schedule was paused.');
      after.incidentId = null;
    }
    await updateSettings(transaction, after, reviewAtOf(after, transaction.now()));
    await recordChange(transaction, session, {
      action: 'schedule.changed',
      target: ['sch', after.id],
      before: pick(before, fields),
      after: pick(after, fields),
    });
    return after;
  });
}

/**
 * Deletes a schedule with its check-ins, and resolves its unresolved incident.
 * @throws ApiError `not_found`
 */
export async function removeSchedule(store: Store, session: Session, path: SchedulePath): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const schedule = await lockSchedule(transaction, session, path);
    await endIncident(transaction, session, schedule, 'The schedule was deleted.');
    await deleteSchedule(transaction, schedule.id);
    await recordChange(transaction, session, {
      action: 'schedule.deleted',
      target: ['sch', schedule.id],
      before: { slug: schedule.slug, name: schedule.name },
      after: null,
    });
  });
}

/**
 * Gives a schedule another ping address; the former one is unknown from now on.
 * @returns the token, which exists only here
 * @throws ApiError `not_found`
 */
export async function replacePingToken(store: Store, session: Session, path: SchedulePath): Promise<string> {
  return inTransaction(store, async (transaction) => {
    const schedule = await requireSchedule(transaction, session.organizationId, path, 'lock');
    const { secret, hash } = generateSecret('tsn_ping_');
    await updatePingHash(transaction, schedule.id, hash, session.token);
    await recordChange(transaction, session, {
      action: 'schedule.ping_url_replaced',
      target: ['sch', schedule.id],
      before: null,
      after: null,
    });
    return secret;
  });
}

/**
 * Locks a schedule. The lock on frames comes before those on schedules, and is acquired only if the schedule exists.
 */
async function lockSchedule(
  transaction: Transaction,
  session: Session,
  path: SchedulePath,
): Promise<ScheduleRow> {
  await requireSchedule(transaction, session.organizationId, path);
  await lockFrames(transaction);
  return requireSchedule(transaction, session.organizationId, path, 'lock');
}

async function endIncident(
  transaction: Transaction,
  { organizationId }: Session,
  { incidentId }: ScheduleRow,
  note: string,
): Promise<void> {
  if (incidentId === null) return;
  await resolveScheduleIncident(transaction, organizationId, { incidentId, note });
}

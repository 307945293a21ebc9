import { inTransaction, type Store, type Transaction } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { lockProjectForCount } from '../tenancy/projects/lock-queries.ts';
import { hashSecret, isWellFormedSecret } from '../tenancy/secret-format.ts';
import { addSchedule } from './create-schedule.ts';
import { keepCheckIns } from './keep-check-ins.ts';
import { isPingAddress, lockScheduleByPing } from './ping-queries.ts';
import { lockScheduleBySlug, updateRuns, updateSettings } from './queries.ts';
import type { ScheduleRow } from './rows.ts';
import { changeSettings, reviewAtOf, toNewSchedule } from './schedule-settings.ts';
import { checkIn, type ReportedStatus } from './schedule-state.ts';
import type { DeclaredSchedule } from './schema.ts';

/**
 * Records durably what a job reports by the slug of its schedule.
 * @param declared creates the schedule, or changes the fields that differ
 * @throws ApiError `not_found` (no such schedule, none declared), `validation_failed`, `limit_reached`
 */
export async function recordCheckIn(
  store: Store,
  projectId: string,
  slug: string,
  { status, declared }: { status: ReportedStatus; declared: DeclaredSchedule | null },
): Promise<ScheduleRow> {
  return inTransaction(store, async (transaction) => {
    const known = await lockScheduleBySlug(transaction, projectId, slug);
    const schedule = declared ? await declare(transaction, { projectId, slug, known }, declared) : known;
    if (!schedule) {
      const detail = `The project has no schedule “${slug}”: create it, or send its timetable in “schedule”.`;
      throw new ApiError('not_found', detail);
    }
    return record(transaction, schedule, status);
  });
}

/**
 * Checks a ping address for requests whose body is still to come.
 * @throws ApiError `not_found` if no schedule has this token
 */
export async function assertPingAddress({ pool }: Pick<Store, 'pool'>, token: string): Promise<void> {
  const isKnown = isWellFormedSecret('tsn_ping_', token) && (await isPingAddress(pool, hashSecret(token)));
  if (!isKnown) throw unknownPing();
}

/**
 * Records durably what a job reports by the token of its schedule's ping address.
 * @throws ApiError `not_found`
 */
export async function recordPing(store: Store, token: string, status: ReportedStatus): Promise<ScheduleRow> {
  return inTransaction(store, async (transaction) => {
    const schedule = await lockScheduleByPing(transaction, hashSecret(token));
    if (!schedule) throw unknownPing();
    return record(transaction, schedule, status);
  });
}

function unknownPing(): ApiError {
  return new ApiError('not_found', 'No schedule has this ping address.');
}

async function declare(
  transaction: Transaction,
  { projectId, slug, known }: { projectId: string; slug: string; known: ScheduleRow | null },
  declared: DeclaredSchedule,
): Promise<ScheduleRow> {
  if (!known) {
    const settings = toNewSchedule({ ...declared, slug }, transaction.now());
    const project = await lockProjectForCount(transaction, null, projectId);
    if (!project) throw new ApiError('not_found', 'Project not found.');
    // Another request may have declared it meanwhile.
    const found = await lockScheduleBySlug(transaction, projectId, slug);
    if (found) return found;
    const maker = { isPaused: false, madeByToken: null };
    return (await addSchedule(transaction, project.id, settings, maker)).schedule;
  }
  const changed = changeSettings(known, declared, transaction.now());
  await updateSettings(transaction, changed, reviewAtOf(changed, transaction.now()));
  return changed;
}

async function record(
  transaction: Transaction,
  schedule: ScheduleRow,
  status: ReportedStatus,
): Promise<ScheduleRow> {
  const now = new Date(transaction.now());
  const { state, records } = checkIn(schedule, schedule, status, now.getTime());
  const next: ScheduleRow = { ...schedule, ...state };
  // The worker opens and resolves incidents: it is woken at once if there may be something to do.
  const isUrgent = status === 'error' || (status === 'ok' && schedule.incidentId !== null);
  const reviewAt = reviewAtOf(next, now.getTime());
  await updateRuns(transaction, next, reviewAt && isUrgent ? now : reviewAt);
  await keepCheckIns(transaction, schedule, records);
  return next;
}

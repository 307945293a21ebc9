import { inTransaction, type Store, type Transaction } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { lockProjectForCount } from '../tenancy/projects/lock-queries.ts';
import { hasEndedRun } from './check-in-queries.ts';
import { addSchedule } from './create-schedule.ts';
import { keepCheckIns } from './keep-check-ins.ts';
import { lockScheduleBySlug, updateRuns, updateSettings } from './queries.ts';
import type { ScheduleRow } from './rows.ts';
import { changeSettings, reviewAtOf, toNewSchedule } from './schedule-settings.ts';
import { checkIn, type Report } from './schedule-state.ts';
import type { DeclaredSchedule } from './schema.ts';

/** Report of a job by the slug of its schedule. */
interface NamedReport extends Pick<Report, 'status'>, Partial<Pick<Report, 'runId'>> {
  /** Creates the schedule, or changes the fields that differ; null: does neither. */
  declared: DeclaredSchedule | null;
}

/**
 * Records durably what a job reports by the slug of its schedule.
 * @throws ApiError `not_found` (no such schedule, none declared), `validation_failed`, `limit_reached`
 */
export async function recordCheckIn(
  store: Store,
  projectId: string,
  slug: string,
  { declared, ...report }: NamedReport,
): Promise<ScheduleRow> {
  return inTransaction(store, async (transaction) => {
    const known = await lockScheduleBySlug(transaction, projectId, slug);
    const schedule = declared
      ? (await declareSchedule(transaction, { projectId, slug, known }, declared)).schedule
      : known;
    if (!schedule) {
      const detail = `The project has no schedule “${slug}”: create it, or send its timetable in “schedule”.`;
      throw new ApiError('not_found', detail);
    }
    return recordReport(transaction, schedule, { runId: null, body: null, ...report });
  });
}

/**
 * Creates a schedule, or changes the fields that differ.
 * @param known the schedule, whose row is locked; null: there was none
 * @returns the schedule, with `isNew` if this call created it
 */
export async function declareSchedule(
  transaction: Transaction,
  { projectId, slug, known }: { projectId: string; slug: string; known: ScheduleRow | null },
  declared: DeclaredSchedule,
): Promise<{ schedule: ScheduleRow; isNew: boolean }> {
  if (!known) {
    const settings = toNewSchedule({ ...declared, slug }, transaction.now());
    const project = await lockProjectForCount(transaction, null, projectId);
    if (!project) throw new ApiError('not_found', 'Project not found.');
    // Another request may have declared it meanwhile.
    const found = await lockScheduleBySlug(transaction, projectId, slug);
    if (found) return { schedule: found, isNew: false };
    const maker = { isPaused: false, madeByToken: null };
    const { schedule } = await addSchedule(transaction, project.id, settings, maker);
    return { schedule, isNew: true };
  }
  const changed = changeSettings(known, declared, transaction.now());
  await updateSettings(transaction, changed, reviewAtOf(changed, transaction.now()));
  return { schedule: changed, isNew: false };
}

/**
 * Applies a report to a schedule, whose row is locked. The start of a run that has ended is no start: it came by another
 * connection, which was slower.
 */
export async function recordReport(
  transaction: Transaction,
  schedule: ScheduleRow,
  report: Report,
): Promise<ScheduleRow> {
  const { status, runId } = report;
  if (status === 'in_progress' && runId !== null && (await hasEndedRun(transaction, schedule.id, runId)))
    return schedule;
  const now = new Date(transaction.now());
  const { state, records } = checkIn(schedule, schedule, report, now.getTime());
  await keepCheckIns(transaction, schedule, records);
  if (status === 'log') return schedule;
  const next: ScheduleRow = { ...schedule, ...state };
  // The worker opens and resolves incidents: it is woken at once if there may be something to do.
  const isUrgent = status === 'error' || (status === 'ok' && schedule.incidentId !== null);
  const reviewAt = reviewAtOf(next, now.getTime());
  await updateRuns(transaction, next, { reviewAt: reviewAt && isUrgent ? now : reviewAt, pendingAt: now });
  return next;
}

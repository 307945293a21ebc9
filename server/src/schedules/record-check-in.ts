import type { Transaction } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { lockProjectForCount } from '../tenancy/projects/lock-queries.ts';
import { hasCheckIn, hasEndedRun } from './check-in-queries.ts';
import { addSchedule } from './create-schedule.ts';
import { keepCheckIns } from './keep-check-ins.ts';
import { lockScheduleBySlug, updateRuns, updateSettings } from './queries.ts';
import type { ScheduleRow } from './rows.ts';
import { changeSettings, reviewAtOf, toNewSchedule } from './schedule-settings.ts';
import { checkIn, type Report } from './schedule-state.ts';
import type { DeclaredSchedule } from './schema.ts';

/** Report of a job by the slug of its schedule. */
export interface NamedReport extends Pick<Report, 'status' | 'runId'> {
  slug: string;
  /** Creates the schedule, or changes the fields that differ; null: does neither. */
  declared: DeclaredSchedule | null;
}

/** Identity of a report that may come twice, or late. */
interface Receipt {
  /** UUID of its check-in. */
  id: string;
  /** Time of its receipt, if it waited since; null: it comes now, and for the first time. */
  atMs: number | null;
}

/**
 * Records what a job reports by the slug of its schedule.
 * @throws ApiError `not_found` (no such schedule, none declared), `validation_failed`, `limit_reached`
 */
export async function recordCheckIn(
  transaction: Transaction,
  projectId: string,
  { slug, declared, ...report }: NamedReport,
  receipt: Receipt | null = null,
): Promise<ScheduleRow> {
  const known = await lockScheduleBySlug(transaction, projectId, slug);
  const schedule = declared
    ? (await declareSchedule(transaction, { projectId, slug, known }, declared)).schedule
    : known;
  if (!schedule) {
    const detail = `The project has no schedule “${slug}”: create it, or send its timetable in “schedule”.`;
    throw new ApiError('not_found', detail);
  }
  return recordReport(transaction, schedule, { body: null, ...report }, receipt);
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
 * connection, which was slower. One that waited while later ones came only ends its run, and none that waited expects again
 * what was reviewed meanwhile.
 */
export async function recordReport(
  transaction: Transaction,
  schedule: ScheduleRow,
  report: Report,
  receipt: Receipt | null = null,
): Promise<ScheduleRow> {
  const { status, runId } = report;
  const waitedSinceMs = receipt?.atMs ?? null;
  if (receipt && waitedSinceMs !== null && (await hasCheckIn(transaction, receipt.id))) return schedule;
  const now = new Date(transaction.now());
  const isOvertaken = waitedSinceMs !== null && waitedSinceMs < (schedule.lastCheckInAt?.getTime() ?? 0);
  if (
    status === 'in_progress' &&
    (runId === null ? isOvertaken : await hasEndedRun(transaction, schedule.id, runId))
  )
    return schedule;
  const atMs = Math.min(waitedSinceMs ?? now.getTime(), now.getTime());
  const { state, records } = checkIn(schedule, schedule, report, atMs);
  if (waitedSinceMs !== null && state.dueAt < schedule.dueAt) state.dueAt = schedule.dueAt;
  await keepCheckIns(transaction, schedule, records, receipt?.id);
  if (status === 'log') return schedule;
  const next: ScheduleRow = { ...schedule, ...(isOvertaken ? { runs: state.runs } : state) };
  // The worker opens and resolves incidents: it is woken at once if there may be something to do.
  const isUrgent = status === 'error' || (status === 'ok' && schedule.incidentId !== null);
  const reviewAt = reviewAtOf(next, now.getTime());
  await updateRuns(transaction, next, { reviewAt: reviewAt && isUrgent ? now : reviewAt, pendingAt: now });
  return next;
}

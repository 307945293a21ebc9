import { inTransaction, type Store, type Transaction } from '../database/database.ts';
import { lockFrames } from '../incidents/frame-queries.ts';
import type { IncidentMetrics } from '../incidents/metrics.ts';
import { heldUntil, latestHold } from '../platform/stored-times.ts';
import { LIVENESS_TOLERANCE_MS, listLivenessIntervals } from '../queue/liveness-queries.ts';
import { coversOf } from './accepting-times.ts';
import { findErrorTime } from './check-in-queries.ts';
import { keepCheckIns } from './keep-check-ins.ts';
import type { CheckInMetrics } from './metrics.ts';
import { updateRuns } from './queries.ts';
import { type DueSchedule, findNextReview, lockSchedulesToReview } from './review-queries.ts';
import { openScheduleIncident, resolutionTime, resolveScheduleIncident } from './schedule-incident.ts';
import { reviewAtOf } from './schedule-settings.ts';
import { type CheckInRecord, incidentChange, review } from './schedule-state.ts';
import { findFault, nextDue, UNKNOWN_DUE } from './timetable.ts';
import { describeRecovery } from './words.ts';

/** Maximum schedules for which a transaction holds the lock on frames. */
const AT_ONCE = 50;

/**
 * Finds missed check-ins and runs that do not end, opens incidents for failures and resolves those of jobs that
 * succeeded. Any number of workers: each schedule is locked by one.
 * @returns whether there may be more to do; `none`: no schedule is ever due
 */
export async function reviewSchedules(
  store: Store,
  metrics: IncidentMetrics & CheckInMetrics,
): Promise<'more' | 'done' | 'none'> {
  const nextReview = await findNextReview(store.pool);
  if (nextReview === null) return 'none';
  if (nextReview.getTime() > store.clock.now()) return 'done';
  let opened = 0;
  const found: CheckInRecord['status'][] = [];
  const reviewed = await inTransaction(store, async (transaction) => {
    await lockFrames(transaction);
    const now = new Date(transaction.now());
    const schedules = await lockSchedulesToReview(transaction, now, AT_ONCE);
    const couldCheckIn = coversOf(
      await listLivenessIntervals(transaction, oldestExpectation(schedules, now)),
      LIVENESS_TOLERANCE_MS,
    );
    for (const schedule of schedules) {
      const { records, hasOpened } = await reviewOne(transaction, schedule, couldCheckIn);
      for (const { status } of records) found.push(status);
      if (hasOpened) opened++;
    }
    return schedules.length;
  });
  if (opened > 0) metrics.incidents.inc({ origin: 'schedule' }, opened);
  for (const status of found) metrics.checkIns.inc({ status });
  return reviewed === AT_ONCE ? 'more' : 'done';
}

/** @returns the outcomes that it found, and whether it opened an incident */
async function reviewOne(
  transaction: Transaction,
  stored: DueSchedule,
  couldCheckIn: (fromMs: number, toMs: number) => boolean,
): Promise<{ records: CheckInRecord[]; hasOpened: boolean }> {
  const { organizationId } = stored;
  const nowMs = transaction.now();
  const schedule = followable(stored, nowMs);
  const { state, records } = review(schedule, schedule, nowMs, couldCheckIn);
  const resolvedMs =
    schedule.incidentId === null
      ? null
      : await resolutionTime(transaction, organizationId, schedule.incidentId);
  const next = { ...schedule, ...state, incidentId: resolvedMs === null ? schedule.incidentId : null };
  const failure =
    records.findLast(isFailure) ?? (await findReportedFailure(transaction, schedule, resolvedMs ?? 0));
  const wanted = incidentChange(schedule, next, next.incidentId !== null);
  const change = wanted === 'open' && !failure ? 'none' : wanted;
  if (change === 'resolve' && next.incidentId !== null) {
    const note = describeRecovery(schedule.name, next.successes);
    await resolveScheduleIncident(transaction, organizationId, { incidentId: next.incidentId, note });
    next.incidentId = null;
  }
  if (change === 'open' && failure) {
    next.incidentId = await openScheduleIncident(transaction, organizationId, { schedule, record: failure });
  }
  await updateRuns(transaction, next, { reviewAt: reviewAtOf(next, nowMs), pendingAt: null });
  await keepCheckIns(transaction, schedule, records);
  return { records, hasOpened: change === 'open' };
}

/**
 * Returns a schedule that can be followed. Times that a clock which was ahead has set are corrected. A schedule whose
 * timetable cannot be followed here is never missed; what its job reports counts as before. Once the timetable can be
 * followed again, the job is expected from then on.
 */
function followable(schedule: DueSchedule, nowMs: number): DueSchedule {
  if (findFault(schedule, nowMs)) return { ...schedule, timeZone: 'UTC', dueAt: UNKNOWN_DUE };
  const { dueAt, runs, lastCheckInAt } = schedule;
  const nextMs = nextDue(schedule, nowMs);
  // A check-in may stand for the next time of a timetable, and not for a later one.
  const latestMs = latestHold(schedule.cron === null ? nextMs : nextDue(schedule, nextMs), 0);
  return {
    ...schedule,
    dueAt: dueAt.getTime() > latestMs ? new Date(nextMs) : dueAt,
    runs: runs.map((run) => ({ ...run, startMs: heldUntil(run.startMs, 0, nowMs) })),
    lastCheckInAt: lastCheckInAt && new Date(heldUntil(lastCheckInAt.getTime(), 0, nowMs)),
  };
}

function isFailure({ status }: CheckInRecord): boolean {
  return status === 'missed' || status === 'timed_out';
}

/** Finds the last failure that the job itself reported, after this time. A run may have started since. */
async function findReportedFailure(
  transaction: Transaction,
  { id, lastStatus, lastCheckInAt, reviewAt }: DueSchedule,
  afterMs: number,
): Promise<CheckInRecord | null> {
  const at =
    lastStatus === 'error'
      ? lastCheckInAt
      : lastStatus === 'in_progress'
        ? await findErrorTime(transaction, id, reviewAt)
        : null;
  if (!at || at.getTime() <= afterMs) return null;
  return { status: 'error', atMs: at.getTime(), dueMs: null, durationMs: null, runId: null, body: null };
}

function oldestExpectation(schedules: DueSchedule[], now: Date): Date {
  const times = schedules.flatMap(({ dueAt, runs }) => [
    dueAt.getTime(),
    ...runs.map(({ startMs }) => startMs),
  ]);
  return new Date(times.reduce((oldest, time) => Math.min(oldest, time), now.getTime()));
}

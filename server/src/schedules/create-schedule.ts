import type { Static } from 'typebox';
import { inTransaction, type Store, type Transaction } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { newUuid, toId } from '../platform/ids.ts';
import { recordChange } from '../tenancy/audit/record-change.ts';
import { lockProjectForCount } from '../tenancy/projects/lock-queries.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import { generateSecret } from '../tenancy/secret-format.ts';
import type { Session } from '../tenancy/session.ts';
import { SCHEDULE_ERRORS } from './errors.ts';
import { MAX_SCHEDULES } from './limits.ts';
import { countSchedules, insertSchedule } from './queries.ts';
import type { ScheduleRow } from './rows.ts';
import { reviewAtOf, type ScheduleSettings, toNewSchedule } from './schedule-settings.ts';
import type { NewSchedule } from './schema.ts';
import { nextDue } from './timetable.ts';

/**
 * Declares a schedule for a user; it is in effect from now on, even without a check-in.
 * @returns the schedule and the token of its ping address, which exists only here
 * @throws ApiError `not_found`, `validation_failed`, `limit_reached`, `slug_taken`
 */
export async function createSchedule(
  store: Store,
  session: Session,
  projectPublicId: string,
  body: Static<typeof NewSchedule>,
): Promise<{ schedule: ScheduleRow; pingToken: string }> {
  return inTransaction(store, async (transaction) => {
    const project = await requireProject(
      transaction,
      session.organizationId,
      projectPublicId,
      lockProjectForCount,
    );
    const { slug, ...settings } = toNewSchedule(body, transaction.now());
    const created = await addSchedule(
      transaction,
      project.id,
      { slug, ...settings },
      { isPaused: body.paused ?? false, madeByToken: session.token },
    );
    await recordChange(transaction, session, {
      action: 'schedule.created',
      target: ['sch', created.schedule.id],
      before: null,
      after: { projectId: toId('proj', project.id), slug, ...settings },
    });
    return created;
  });
}

/**
 * @param transaction has locked the project's row for counting
 * @throws ApiError `limit_reached`, `slug_taken`
 */
export async function addSchedule(
  transaction: Transaction,
  projectId: string,
  settings: ScheduleSettings & { slug: string },
  { isPaused, madeByToken }: { isPaused: boolean; madeByToken: ScheduleRow['madeByToken'] },
): Promise<{ schedule: ScheduleRow; pingToken: string }> {
  const now = transaction.now();
  const { secret, hash } = generateSecret('tsn_ping_');
  const schedule: ScheduleRow = {
    id: newUuid(now),
    projectId,
    ...settings,
    pausedAt: isPaused ? new Date(now) : null,
    dueAt: new Date(nextDue(settings, now)),
    runs: [],
    lastCheckInAt: null,
    lastStatus: null,
    lastDurationMs: null,
    failures: 0,
    successes: 0,
    incidentId: null,
    createdAt: new Date(now),
    madeByToken,
  };
  if ((await countSchedules(transaction, projectId)) >= MAX_SCHEDULES) {
    throw new ApiError('limit_reached', `A project can have up to ${MAX_SCHEDULES} schedules.`);
  }
  const write = { pingHash: hash, reviewAt: reviewAtOf(schedule, now) };
  if (!(await insertSchedule(transaction, schedule, write))) {
    throw new ApiError(SCHEDULE_ERRORS.slug_taken, `The project has a schedule “${schedule.slug}” already.`);
  }
  return { schedule, pingToken: secret };
}

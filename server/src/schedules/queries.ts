import type { Queryable } from '../database/database.ts';
import type { ScheduleRow } from './rows.ts';
import type { RunState } from './schedule-state.ts';

export const SCHEDULE_COLUMNS = `s.id, s.project_id AS "projectId", s.slug, s.name, s.cron, s.interval_seconds AS "intervalSeconds",
  s.time_zone AS "timeZone", s.grace_seconds AS "graceSeconds", s.max_runtime_seconds AS "maxRuntimeSeconds",
  s.failure_after AS "failureAfter", s.recover_after AS "recoverAfter", s.severity, s.type, s.source,
  s.paused_at AS "pausedAt", s.due_at AS "dueAt", s.runs, s.last_check_in_at AS "lastCheckInAt",
  s.last_status AS "lastStatus", s.last_duration_ms AS "lastDurationMs", s.failures, s.successes,
  s.incident_id AS "incidentId", s.created_at AS "createdAt", s.made_by_token AS "madeByToken"`;

/** @returns false if the project has a schedule of this slug */
export async function insertSchedule(
  database: Queryable,
  schedule: ScheduleRow,
  { pingHash, reviewAt }: { pingHash: Buffer; reviewAt: Date | null },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `INSERT INTO schedules (id, project_id, slug, name, cron, interval_seconds, time_zone, grace_seconds,
        max_runtime_seconds, failure_after, recover_after, severity, type, source, paused_at, ping_hash, due_at,
        review_at, created_at, made_by_token)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
      ON CONFLICT (project_id, slug) DO NOTHING`,
    [
      schedule.id,
      schedule.projectId,
      schedule.slug,
      ...settingsOf(schedule),
      pingHash,
      schedule.dueAt,
      reviewAt,
      schedule.createdAt,
      schedule.madeByToken,
    ],
  );
  return rowCount === 1;
}

function settingsOf(schedule: ScheduleRow): unknown[] {
  const { name, cron, intervalSeconds, timeZone, graceSeconds, maxRuntimeSeconds } = schedule;
  const { failureAfter, recoverAfter, severity, type, source, pausedAt } = schedule;
  return [
    name,
    cron,
    intervalSeconds,
    timeZone,
    graceSeconds,
    maxRuntimeSeconds,
    failureAfter,
    recoverAfter,
    severity,
    type,
    source,
    pausedAt,
  ];
}

export async function updateSettings(
  database: Queryable,
  schedule: ScheduleRow,
  reviewAt: Date | null,
): Promise<void> {
  await database.query(
    `UPDATE schedules SET name = $2, cron = $3, interval_seconds = $4, time_zone = $5, grace_seconds = $6,
        max_runtime_seconds = $7, failure_after = $8, recover_after = $9, severity = $10, type = $11, source = $12,
        paused_at = $13, due_at = $14, runs = $15, failures = $16, incident_id = $17,
        review_at = CASE WHEN $18::timestamptz IS NOT NULL THEN least(review_at, $18) END
      WHERE id = $1`,
    [
      schedule.id,
      ...settingsOf(schedule),
      schedule.dueAt,
      JSON.stringify(schedule.runs),
      schedule.failures,
      schedule.incidentId,
      reviewAt,
    ],
  );
}

/** @param pendingAt a review that is due by then stays due; null: it has taken place */
export async function updateRuns(
  database: Queryable,
  schedule: RunState & { id: string; incidentId: string | null },
  { reviewAt, pendingAt }: { reviewAt: Date | null; pendingAt: Date | null },
): Promise<void> {
  const { id, dueAt, runs, lastCheckInAt, lastStatus, lastDurationMs } = schedule;
  const { failures, successes, incidentId } = schedule;
  await database.query(
    `UPDATE schedules SET due_at = $2, runs = $3, last_check_in_at = $4, last_status = $5,
        last_duration_ms = $6, failures = $7, successes = $8, incident_id = $9,
        review_at = CASE WHEN review_at <= $11 THEN review_at ELSE $10::timestamptz END
      WHERE id = $1`,
    [
      id,
      dueAt,
      JSON.stringify(runs),
      lastCheckInAt,
      lastStatus,
      lastDurationMs,
      failures,
      successes,
      incidentId,
      reviewAt,
      pendingAt,
    ],
  );
}

export async function deleteSchedule(database: Queryable, scheduleId: string): Promise<void> {
  await database.query('DELETE FROM schedules WHERE id = $1', [scheduleId]);
}

export async function countSchedules(database: Queryable, projectId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(*) AS count FROM schedules WHERE project_id = $1',
    [projectId],
  );
  return rows[0]?.count ?? 0;
}

/** Newest first. */
export async function listSchedules(
  database: Queryable,
  projectId: string,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<ScheduleRow[]> {
  const { rows } = await database.query<ScheduleRow>(
    `SELECT ${SCHEDULE_COLUMNS} FROM schedules s WHERE s.project_id = $1 AND ($2::uuid IS NULL OR s.id < $2)
      ORDER BY s.id DESC LIMIT $3 + 1`,
    [projectId, cursor, limit],
  );
  return rows;
}

export async function findSchedule(
  database: Queryable,
  projectId: string,
  scheduleId: string,
  lock: 'lock' | 'read' = 'read',
): Promise<ScheduleRow | null> {
  const { rows } = await database.query<ScheduleRow>(
    `SELECT ${SCHEDULE_COLUMNS} FROM schedules s WHERE s.project_id = $1 AND s.id = $2 ${lock === 'lock' ? 'FOR UPDATE' : ''}`,
    [projectId, scheduleId],
  );
  return rows[0] ?? null;
}

/** Locks the schedule until the transaction ends, so that check-ins are recorded one after the other. */
export async function lockScheduleBySlug(
  transaction: Queryable,
  projectId: string,
  slug: string,
): Promise<ScheduleRow | null> {
  const { rows } = await transaction.query<ScheduleRow>(
    `SELECT ${SCHEDULE_COLUMNS} FROM schedules s WHERE s.project_id = $1 AND s.slug = $2 FOR UPDATE`,
    [projectId, slug],
  );
  return rows[0] ?? null;
}

/** Series whose regular events schedules expect instead. */
export async function listDeclaredSeries(
  database: Queryable,
  projectId: string,
): Promise<{ type: string | null; source: string | null }[]> {
  const { rows } = await database.query<{ type: string | null; source: string | null }>(
    `SELECT type, source FROM schedules
      WHERE project_id = $1 AND paused_at IS NULL AND (type IS NOT NULL OR source IS NOT NULL)`,
    [projectId],
  );
  return rows;
}

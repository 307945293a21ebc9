import type { Queryable } from '../database/database.ts';
import { DAY_MS } from '../platform/durations.ts';
import { latestHold } from '../platform/stored-times.ts';
import type { CheckInRow, ScheduleRow } from './rows.ts';
import type { RunState } from './schedule-state.ts';

const COLUMNS = `s.id, s.project_id AS "projectId", s.slug, s.name, s.cron, s.interval_seconds AS "intervalSeconds",
  s.time_zone AS "timeZone", s.grace_seconds AS "graceSeconds", s.max_runtime_seconds AS "maxRuntimeSeconds",
  s.failure_after AS "failureAfter", s.recover_after AS "recoverAfter", s.severity, s.type, s.source,
  s.paused_at AS "pausedAt", s.due_at AS "dueAt", s.started_at AS "startedAt", s.last_check_in_at AS "lastCheckInAt",
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
        paused_at = $13, due_at = $14, started_at = $15, failures = $16, incident_id = $17, review_at = $18
      WHERE id = $1`,
    [
      schedule.id,
      ...settingsOf(schedule),
      schedule.dueAt,
      schedule.startedAt,
      schedule.failures,
      schedule.incidentId,
      reviewAt,
    ],
  );
}

export async function updatePingHash(
  database: Queryable,
  scheduleId: string,
  pingHash: Buffer,
  madeByToken: ScheduleRow['madeByToken'],
): Promise<void> {
  await database.query('UPDATE schedules SET ping_hash = $2, made_by_token = $3 WHERE id = $1', [
    scheduleId,
    pingHash,
    madeByToken,
  ]);
}

export async function updateRuns(
  database: Queryable,
  schedule: RunState & { id: string; incidentId: string | null },
  reviewAt: Date | null,
): Promise<void> {
  const { id, dueAt, startedAt, lastCheckInAt, lastStatus, lastDurationMs } = schedule;
  const { failures, successes, incidentId } = schedule;
  await database.query(
    `UPDATE schedules SET due_at = $2, started_at = $3, last_check_in_at = $4, last_status = $5,
        last_duration_ms = $6, failures = $7, successes = $8, incident_id = $9, review_at = $10 WHERE id = $1`,
    [
      id,
      dueAt,
      startedAt,
      lastCheckInAt,
      lastStatus,
      lastDurationMs,
      failures,
      successes,
      incidentId,
      reviewAt,
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
  { before, limit }: { before: string | null; limit: number },
): Promise<ScheduleRow[]> {
  const { rows } = await database.query<ScheduleRow>(
    `SELECT ${COLUMNS} FROM schedules s WHERE s.project_id = $1 AND ($2::uuid IS NULL OR s.id < $2)
      ORDER BY s.id DESC LIMIT $3 + 1`,
    [projectId, before, limit],
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
    `SELECT ${COLUMNS} FROM schedules s WHERE s.project_id = $1 AND s.id = $2 ${lock === 'lock' ? 'FOR UPDATE' : ''}`,
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
    `SELECT ${COLUMNS} FROM schedules s WHERE s.project_id = $1 AND s.slug = $2 FOR UPDATE`,
    [projectId, slug],
  );
  return rows[0] ?? null;
}

/** Not by project: the token determines it. */
export async function isPingAddress(database: Queryable, pingHash: Buffer): Promise<boolean> {
  const { rowCount } = await database.query(
    `SELECT 1 FROM schedules s JOIN projects p ON p.id = s.project_id
      WHERE s.ping_hash = $1 AND p.deleted_at IS NULL`,
    [pingHash],
  );
  return rowCount === 1;
}

/** Not by project, likewise. */
export async function lockScheduleByPing(
  transaction: Queryable,
  pingHash: Buffer,
): Promise<ScheduleRow | null> {
  const { rows } = await transaction.query<ScheduleRow>(
    `SELECT ${COLUMNS} FROM schedules s JOIN projects p ON p.id = s.project_id
      WHERE s.ping_hash = $1 AND p.deleted_at IS NULL FOR UPDATE OF s`,
    [pingHash],
  );
  return rows[0] ?? null;
}

/**
 * When the next review is due; null: none ever is. Those of deleted projects wait for the purge, and are never
 * reviewed.
 */
export async function findNextReview(database: Queryable): Promise<Date | null> {
  const { rows } = await database.query<{ reviewAt: Date }>({
    name: 'find-next-review',
    text: `SELECT s.review_at AS "reviewAt" FROM schedules s JOIN projects p ON p.id = s.project_id
      WHERE s.review_at IS NOT NULL AND p.deleted_at IS NULL ORDER BY s.review_at LIMIT 1`,
  });
  return rows[0]?.reviewAt ?? null;
}

/**
 * Makes reviews due that a clock which was ahead has put off: by a check-in of that time, or for longer than their
 * intervals. Timetables differ by their days: a cron expression is reviewed if it is due beyond a week.
 */
export async function updateImpossibleReviews(database: Queryable, nowMs: number): Promise<void> {
  const latest = (maxMs: number) => new Date(latestHold(nowMs, maxMs));
  await database.query({
    name: 'update-impossible-reviews',
    text: `UPDATE schedules SET review_at = $1 WHERE review_at > $2 AND (last_check_in_at > $2 OR started_at > $2
        OR due_at > CASE WHEN interval_seconds IS NULL THEN $3 ELSE $2 + make_interval(secs => interval_seconds) END)`,
    values: [new Date(nowMs), latest(0), latest(8 * DAY_MS)],
  });
}

export interface DueSchedule extends ScheduleRow {
  organizationId: string;
}

/**
 * Locks due schedules, and leaves out those that another worker has locked; the projects are not deleted meanwhile.
 */
export async function lockSchedulesToReview(
  transaction: Queryable,
  now: Date,
  limit: number,
): Promise<DueSchedule[]> {
  const { rows } = await transaction.query<DueSchedule>(
    `SELECT ${COLUMNS}, p.organization_id AS "organizationId"
      FROM schedules s JOIN projects p ON p.id = s.project_id AND p.deleted_at IS NULL
      WHERE s.review_at <= $1 ORDER BY s.review_at LIMIT $2
      FOR UPDATE OF s SKIP LOCKED FOR KEY SHARE OF p SKIP LOCKED`,
    [now, limit],
  );
  return rows;
}

/**
 * Lets the schedule continue an incident whose resolution was undone: its next successes resolve it. Unless it has
 * another one, which failed since.
 */
export async function updateContinuedIncident(
  database: Queryable,
  { projectId, scheduleId, incidentId }: { projectId: string; scheduleId: string; incidentId: string },
): Promise<void> {
  await database.query(
    `UPDATE schedules SET incident_id = $3, successes = 0
      WHERE project_id = $1 AND id = $2 AND (incident_id IS NULL OR incident_id = $3) AND paused_at IS NULL`,
    [projectId, scheduleId, incidentId],
  );
}

export async function findLastIncidentId(database: Queryable, scheduleId: string): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>(
    'SELECT id FROM incidents WHERE schedule_id = $1 ORDER BY id DESC LIMIT 1',
    [scheduleId],
  );
  return rows[0]?.id ?? null;
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

export async function insertCheckIns(
  database: Queryable,
  schedule: { id: string; projectId: string },
  checkIns: CheckInRow[],
): Promise<void> {
  for (const { id, status, at, dueAt, durationMs } of checkIns) {
    await database.query(
      `INSERT INTO check_ins (id, schedule_id, project_id, status, at, due_at, duration_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, schedule.id, schedule.projectId, status, at, dueAt, durationMs],
    );
  }
}

export async function deleteOldCheckIns(
  database: Queryable,
  scheduleId: string,
  kept: number,
): Promise<void> {
  await database.query(
    `DELETE FROM check_ins WHERE schedule_id = $1 AND id <= (
        SELECT id FROM check_ins WHERE schedule_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
    [scheduleId, kept],
  );
}

/** Newest first. */
export async function listCheckIns(
  database: Queryable,
  scheduleId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<CheckInRow[]> {
  const { rows } = await database.query<CheckInRow>(
    `SELECT id, status, at, due_at AS "dueAt", duration_ms AS "durationMs" FROM check_ins
      WHERE schedule_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3 + 1`,
    [scheduleId, before, limit],
  );
  return rows;
}

/** When the run was expected whose failure opened an incident at this time; null: at no certain time. */
export async function findFailureTime(
  database: Queryable,
  scheduleId: string,
  openedAt: Date,
): Promise<Date | null> {
  const { rows } = await database.query<{ dueAt: Date | null }>(
    `SELECT due_at AS "dueAt" FROM check_ins
      WHERE schedule_id = $1 AND at <= $2 AND status IN ('missed', 'timed_out', 'error') ORDER BY id DESC LIMIT 1`,
    [scheduleId, openedAt],
  );
  return rows[0]?.dueAt ?? null;
}

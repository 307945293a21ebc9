import type { Queryable } from '../database/database.ts';
import type { CheckInRow } from './rows.ts';

export async function insertCheckIns(
  database: Queryable,
  schedule: { id: string; projectId: string },
  checkIns: CheckInRow[],
): Promise<void> {
  for (const { id, status, at, dueAt, durationMs, runId, body } of checkIns) {
    await database.query(
      `INSERT INTO check_ins (id, schedule_id, project_id, status, at, due_at, duration_ms, run_id, body)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, schedule.id, schedule.projectId, status, at, dueAt, durationMs, runId, body],
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

/** Deletes the output of all but so many of the newest failures that have one, and of the other check-ins likewise. */
export async function deleteOldBodies(database: Queryable, scheduleId: string, kept: number): Promise<void> {
  await database.query(
    `UPDATE check_ins c SET body = NULL FROM (
        SELECT id, row_number() OVER (PARTITION BY status = 'error' ORDER BY id DESC) AS place
          FROM check_ins WHERE schedule_id = $1 AND body IS NOT NULL) numbered
      WHERE c.id = numbered.id AND numbered.place > $2`,
    [scheduleId, kept],
  );
}

/** True if a check-in of this id is kept. */
export async function hasCheckIn(database: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await database.query('SELECT 1 FROM check_ins WHERE id = $1', [id]);
  return rowCount === 1;
}

/** True if a run of this id has ended, by the check-ins that are kept. */
export async function hasEndedRun(database: Queryable, scheduleId: string, runId: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `SELECT 1 FROM check_ins WHERE schedule_id = $1 AND run_id = $2 AND status IN ('ok', 'error') LIMIT 1`,
    [scheduleId, runId],
  );
  return rowCount === 1;
}

/** Newest first. */
export async function listCheckIns(
  database: Queryable,
  scheduleId: string,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<CheckInRow[]> {
  const { rows } = await database.query<CheckInRow>(
    `SELECT id, status, at, due_at AS "dueAt", duration_ms AS "durationMs", run_id AS "runId", body FROM check_ins
      WHERE schedule_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3 + 1`,
    [scheduleId, cursor, limit],
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

/** When the job reported its last failure since a time; null: it reported none. */
export async function findErrorTime(
  database: Queryable,
  scheduleId: string,
  since: Date,
): Promise<Date | null> {
  const { rows } = await database.query<{ at: Date }>(
    `SELECT at FROM check_ins WHERE schedule_id = $1 AND status = 'error' AND at >= $2 ORDER BY id DESC LIMIT 1`,
    [scheduleId, since],
  );
  return rows[0]?.at ?? null;
}

import type { Queryable } from '../database/database.ts';
import type { CheckInRow } from './rows.ts';

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
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<CheckInRow[]> {
  const { rows } = await database.query<CheckInRow>(
    `SELECT id, status, at, due_at AS "dueAt", duration_ms AS "durationMs" FROM check_ins
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

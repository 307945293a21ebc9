import type { Queryable } from '../database/database.ts';
import { SCHEDULE_COLUMNS } from './queries.ts';
import type { ScheduleRow } from './rows.ts';

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
    `SELECT ${SCHEDULE_COLUMNS} FROM schedules s JOIN projects p ON p.id = s.project_id
      WHERE s.ping_hash = $1 AND p.deleted_at IS NULL FOR UPDATE OF s`,
    [pingHash],
  );
  return rows[0] ?? null;
}

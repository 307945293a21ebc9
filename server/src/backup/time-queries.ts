import type { Queryable } from '../database/database.ts';

const LAST_BACKUP = 'last_backup';

/** Records that a backup was made now. */
export async function upsertBackupTime(database: Queryable): Promise<void> {
  await database.query(
    `INSERT INTO settings (name, value) VALUES ($1, extract(epoch FROM clock_timestamp())::text)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [LAST_BACKUP],
  );
}

/** Seconds since the last backup; null: there was none. */
export async function findBackupAge(database: Queryable): Promise<number | null> {
  const { rows } = await database.query<{ seconds: number }>(
    `SELECT greatest(0, extract(epoch FROM clock_timestamp()) - value::numeric)::float8 AS seconds
      FROM settings WHERE name = $1`,
    [LAST_BACKUP],
  );
  return rows[0]?.seconds ?? null;
}

import { randomBytes } from 'node:crypto';
import type { Queryable } from './database.ts';

/** The secret that signs sessions: every process on the same database gets the same one. */
export async function findOrCreateSessionSecret(database: Queryable): Promise<string> {
  await database.query(
    `INSERT INTO settings (name, value) VALUES ('session_secret', $1) ON CONFLICT DO NOTHING`,
    [randomBytes(48).toString('base64url')],
  );
  const { rows } = await database.query<{ value: string }>(
    `SELECT value FROM settings WHERE name = 'session_secret'`,
  );
  const secret = rows[0]?.value;
  if (!secret) throw new Error('The session secret vanished from the settings.');
  return secret;
}

const LAST_BACKUP = 'last_backup';

/** A backup was made at this moment. */
export async function recordBackup(database: Queryable): Promise<void> {
  await database.query(
    `INSERT INTO settings (name, value) VALUES ($1, extract(epoch FROM clock_timestamp())::text)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [LAST_BACKUP],
  );
}

/** How many seconds ago the last backup was made; null: there was none. */
export async function findBackupAge(database: Queryable): Promise<number | null> {
  const { rows } = await database.query<{ seconds: number }>(
    `SELECT greatest(0, extract(epoch FROM clock_timestamp()) - value::numeric)::float8 AS seconds
      FROM settings WHERE name = $1`,
    [LAST_BACKUP],
  );
  return rows[0]?.seconds ?? null;
}

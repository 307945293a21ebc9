import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../database/database.ts';

/** The secret that signs sessions, the same for all processes on a database. */
export async function findOrCreateSessionSecret(database: Queryable): Promise<string> {
  await database.query(
    `INSERT INTO settings (name, value) VALUES ('session_secret', $1) ON CONFLICT DO NOTHING`,
    [randomBytes(48).toString('base64url')],
  );
  const { rows } = await database.query<{ value: string }>(
    `SELECT value FROM settings WHERE name = 'session_secret'`,
  );
  const secret = rows[0]?.value;
  if (!secret) throw new Error('The session secret disappeared from the settings.');
  return secret;
}

import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { Queryable } from './database.ts';

export interface AppliedRow {
  version: number;
  name: string;
  checksum: string;
  minProgram: number;
}

/**
 * The migrations of the database in order; none if it has no such table. Checks the table first: an error would abort
 * the transaction of the caller.
 */
export async function listApplied(database: Queryable): Promise<AppliedRow[]> {
  const { rows: tables } = await database.query<{ isThere: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS "isThere"`,
  );
  if (!tables[0]?.isThere) return [];
  const { rows } = await database.query<AppliedRow>(
    // By way of JSON: the table of a database of before the first release may have no column `min_program`.
    `SELECT version, name, checksum, (to_jsonb(m) ->> 'min_program')::integer AS "minProgram"
      FROM schema_migrations m ORDER BY version`,
  );
  return rows;
}

export async function insertApplied(database: Queryable, row: AppliedRow): Promise<void> {
  const { version, name, checksum, minProgram } = row;
  await database.query(
    'INSERT INTO schema_migrations (version, name, checksum, min_program) VALUES ($1, $2, $3, $4)',
    [version, name, checksum, minProgram],
  );
}

/**
 * Makes this session the only one that migrates until it ends, and creates the table of migrations if there is none.
 */
export async function lockMigrations(database: Queryable): Promise<void> {
  await database.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
  await database.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, min_program integer NOT NULL,
      applied_at timestamptz(3) NOT NULL DEFAULT now())`);
}

export interface ServerVersion {
  number: number;
  text: string;
}

export async function findServerVersion(database: Queryable): Promise<ServerVersion> {
  const { rows } = await database.query<ServerVersion>(
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS text`,
  );
  return rows[0] ?? { number: Number.NaN, text: 'unknown' };
}

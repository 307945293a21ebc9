import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { isMissingTable, type Pool, type Queryable } from './database.ts';

const DIRECTORY = new URL('../../migrations/', import.meta.url);
const MINIMUM_SERVER_VERSION = 150_000;
/** One number for all advisory locks of migrations, on whichever machine they run. */
const MIGRATION_LOCK = 7_052_026;

export interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** The numbered SQL files that belong to this version of the program, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(DIRECTORY)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).toSorted();
  return Promise.all(
    files.map(async (name) => {
      const sql = await readFile(new URL(name, DIRECTORY), 'utf8');
      return {
        version: Number(name.slice(0, 4)),
        name,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
    }),
  );
}

/**
 * Brings the schema up to `upTo` (default: the newest known). Every process may call it at the same time:
 * one applies, the others wait. Each migration is a transaction of its own.
 * @returns the names of the migrations applied
 * @throws MigrationError for a server that is too old, a newer schema, or a file that was changed after it was applied
 */
export async function migrate(pool: Pool, upTo = Number.POSITIVE_INFINITY): Promise<string[]> {
  const migrations = (await readMigrations()).filter((migration) => migration.version <= upTo);
  const client = await pool.connect();
  try {
    await assertServerVersion(client);
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
      applied_at timestamptz(3) NOT NULL DEFAULT now())`);
    const pending = await listPending(client, migrations);
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    // The connection ends rather than going back: with it goes the lock, whatever happened.
    client.release(true);
  }
}

/** The names of the migrations that this program knows and the database has not. */
export async function listPendingMigrations(database: Queryable): Promise<string[]> {
  const pending = await listPending(database, await readMigrations());
  return pending.map((migration) => migration.name);
}

async function listPending(database: Queryable, migrations: Migration[]): Promise<Migration[]> {
  const applied = await listApplied(database);
  const newest = Math.max(0, ...(await readMigrations()).map((migration) => migration.version));
  for (const row of applied) {
    if (row.version > newest) {
      throw new MigrationError(
        `The database has schema version ${row.version} (${row.name}), this program knows ${newest}: start a newer version of Tocsin.`,
      );
    }
    const known = migrations.find((migration) => migration.version === row.version);
    if (known && known.checksum !== row.checksum) {
      throw new MigrationError(`The migration ${row.name} is not the one that was applied to this database.`);
    }
  }
  const versions = new Set(applied.map((row) => row.version));
  return migrations.filter((migration) => !versions.has(migration.version));
}

interface AppliedRow {
  version: number;
  name: string;
  checksum: string;
}

async function listApplied(database: Queryable): Promise<AppliedRow[]> {
  try {
    const { rows } = await database.query<AppliedRow>(
      'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
    );
    return rows;
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new MigrationError(`The migration ${migration.name} failed: ${String(error)}`, { cause: error });
  }
}

async function assertServerVersion(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ version: string; text: string }>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_version') AS text`,
  );
  if (Number(rows[0]?.version) < MINIMUM_SERVER_VERSION) {
    throw new MigrationError(`Tocsin needs PostgreSQL 15 or later; this server is ${rows[0]?.text}.`);
  }
}

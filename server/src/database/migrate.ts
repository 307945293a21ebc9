import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, Queryable } from './database.ts';
import { findServerVersion, insertApplied, listApplied, lockMigrations } from './migration-queries.ts';
import { assertReleased, type Migration, MigrationError, readMigrations } from './migrations.ts';
import { withOwnConnection } from './own-connection.ts';
import { isLocked } from './sql-state.ts';

const MINIMUM_SERVER_VERSION = 150_000;
/**
 * Maximum wait for a table's lock: while a migration waits for a table that a long reader (a backup) holds, all
 * others who use the table wait behind it. So it waits for a moment only, leaves the others this long, and begins
 * again.
 */
const LOCK_TIMEOUT = '1s';
const LOCK_RETRY_MS = 2_000;

/** The schema of a database compared with a program's, by the names of migrations. */
export interface SchemaState {
  /** Migrations that the program knows and the database has not applied. */
  pending: string[];
  /** Migrations of a newer program that were applied; each allows this program to go on serving. */
  newer: string[];
}

/**
 * Brings the schema up to the newest of `migrations`. Every process may call it at the same time: one applies, the
 * others wait. Each migration is a transaction of its own.
 * @param migrations known migrations; default: all files of the program
 * @param onHeldUp receives the name of a migration that waits for a table's lock, once
 * @returns the names of the migrations applied now, and of newer ones that this program can serve on
 * @throws MigrationError for a server that is too old, a newer schema that does not allow this program, a file that
 * was changed after it was applied, or a database of before the first release
 */
export async function migrate(
  pool: Pool,
  migrations?: Migration[],
  onHeldUp: (name: string) => void = () => {},
): Promise<{ applied: string[]; newer: string[] }> {
  const known = migrations ?? (await readMigrations());
  return withOwnConnection(pool, async (client) => {
    await assertServerVersion(client);
    await client.query('SET statement_timeout = 0');
    await lockMigrations(client);
    const { pending, newer } = await findSchemaState(client, known);
    for (const migration of known) {
      if (pending.includes(migration.name)) await applyOnceFree(client, migration, onHeldUp);
    }
    return { applied: pending, newer };
  });
}

/**
 * Compares the schema with a program's. A program serves on a newer schema as long as each migration that it does not
 * know allows it (`min_program`): so an update may replace processes one by one.
 * @param migrations known migrations; default: all files of the program
 * @throws MigrationError for a newer schema that does not allow this program, a file that was changed after it was
 * applied, or a database of before the first release
 */
export async function findSchemaState(database: Queryable, migrations?: Migration[]): Promise<SchemaState> {
  const known = new Map(
    (migrations ?? (await readMigrations())).map((migration) => [migration.version, migration]),
  );
  const program = [...known.keys()].reduce((most, version) => Math.max(most, version), 0);
  const applied = await listApplied(database);
  assertReleased(applied);
  for (const row of applied) {
    const own = known.get(row.version);
    if (own && own.checksum !== row.checksum) {
      throw new MigrationError(
        `The migration ${row.name} differs from the one that was applied to this database.`,
      );
    }
    if (!own && row.version > program && row.minProgram > program) {
      throw new MigrationError(
        `The database has schema version ${row.version} (${row.name}), this program knows ${program}: start a newer version of Tocsin.`,
      );
    }
  }
  const versions = new Set(applied.map((row) => row.version));
  return {
    pending: [...known.values()].filter(({ version }) => !versions.has(version)).map(({ name }) => name),
    newer: applied.filter((row) => row.version > program).map((row) => row.name),
  };
}

async function applyOnceFree(
  client: Queryable,
  migration: Migration,
  onHeldUp: (name: string) => void,
): Promise<void> {
  let isHeldUp = !(await apply(client, migration));
  if (isHeldUp) onHeldUp(migration.name);
  while (isHeldUp) {
    await sleep(LOCK_RETRY_MS);
    isHeldUp = !(await apply(client, migration));
  }
}

/** @returns true if it was applied; false if others have locked a table that it changes */
async function apply(client: Queryable, migration: Migration): Promise<boolean> {
  const { name, sql } = migration;
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query(sql);
    await insertApplied(client, migration);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK');
    if (isLocked(error)) return false;
    throw new MigrationError(`The migration ${name} failed: ${String(error)}`, { cause: error });
  }
}

async function assertServerVersion(database: Queryable): Promise<void> {
  const { number, text } = await findServerVersion(database);
  if (!(number >= MINIMUM_SERVER_VERSION)) {
    throw new MigrationError(`Tocsin needs PostgreSQL 15 or later; this server is ${text}.`);
  }
}

import type pg from 'pg';
import type { Pool } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { listApplied } from '../database/migration-queries.ts';
import { assertReleased, type Migration, readMigrations } from '../database/migrations.ts';
import { withOwnConnection } from '../database/own-connection.ts';
import { ensurePartitions } from '../events/partitions.ts';
import { CommandError } from '../platform/command-error.ts';
import { uuidTime } from '../platform/ids.ts';
import { distrustPast, type RestoreKind } from './distrust-past.ts';
import { BackupError, type Header, schemaVersionOf } from './format.ts';
import { loadTables } from './load-tables.ts';
import { nestedPool } from './nested-pool.ts';
import type { Progress } from './progress.ts';
import {
  analyseTables,
  findFilledTable,
  listColumns,
  listOtherConnections,
  listTables,
  lockTables,
} from './queries.ts';
import { type Backup, damaged } from './read.ts';
import { BACKED_UP_TABLES } from './tables.ts';

/**
 * Maximum span of events, nearly a hundred years: a longer one comes from a damaged header, and would make partitions
 * without end.
 */
const MAX_EVENT_SPAN_MS = 5_000 * 7 * 24 * 60 * 60_000;

/** How long PostgreSQL may take to clean up after a connection that ended just now. */
const ENDING_MS = 2_000;

interface RestoreOptions {
  kind: RestoreKind;
  /** Migrations that the program knows; default: all of its files. */
  migrations?: Migration[] | undefined;
}

/** Fills a database that holds no Tocsin data from a backup, then brings it up to this program's schema. */
export async function restoreDatabase(
  pool: Pool,
  backup: Backup,
  progress: Progress,
  { kind, migrations }: RestoreOptions,
): Promise<number> {
  const known = migrations ?? (await readMigrations());
  await assertRestorable(backup.header, known);
  await assertUnused(pool);
  const rows = await withOwnConnection(pool, async (client) => {
    await client.query('BEGIN');
    await prepareSchema(client, backup.header, known);
    const restored = await loadTables(client, backup, progress);
    const tables = backup.header.tables.map(({ name }) => name);
    await distrustPast(client, kind, tables, progress.print);
    await client.query('COMMIT');
    return restored;
  });
  const { applied } = await migrate(pool, known);
  if (applied.length > 0) progress.print(`Migrated the restored data: ${applied.join(', ')}.`);
  await analyseTables(pool, BACKED_UP_TABLES);
  return rows;
}

/**
 * @throws BackupError for a backup that this version of the program cannot restore, MigrationError for one that no
 * release has written
 */
export async function assertRestorable(
  { migrations, eventIds }: Header,
  ofProgram?: Migration[],
): Promise<void> {
  assertReleased(migrations);
  const known = new Map(
    (ofProgram ?? (await readMigrations())).map((migration) => [migration.version, migration]),
  );
  const [version, newest] = [
    schemaVersionOf(migrations),
    [...known.keys()].reduce((most, version) => Math.max(most, version), 0),
  ];
  if (version > newest) {
    throw new BackupError(
      `The backup was made by a newer version of Tocsin (schema version ${version}, this program knows ${newest}): restore it with that version.`,
    );
  }
  const other = migrations.find(({ version, checksum }) => known.get(version)?.checksum !== checksum);
  if (other)
    throw new BackupError(`The migration ${other.name} of the backup differs from that of this program.`);
  if (eventIds && uuidTime(eventIds.last) - uuidTime(eventIds.first) > MAX_EVENT_SPAN_MS) {
    throw damaged('its events span more than 5,000 weeks');
  }
}

async function assertUnused(pool: Pool): Promise<void> {
  const deadline = performance.now() + ENDING_MS;
  for (;;) {
    const others = await listOtherConnections(pool);
    if (others.length === 0) return;
    if (performance.now() > deadline) {
      throw new CommandError(
        `The database is in use by Tocsin (${others.join(', ')}): stop the service before a restore.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Creates the backup's schema without any row, locked against all others until the transaction ends. */
async function prepareSchema(client: pg.PoolClient, header: Header, known: Migration[]): Promise<void> {
  const version = schemaVersionOf(header.migrations);
  const applied = await listApplied(client);
  assertReleased(applied);
  const present = schemaVersionOf(applied);
  if (present > 0) await assertEmpty(client);
  if (present > version) {
    throw new CommandError(
      `The database has schema version ${present}, the backup ${version}: restore into a new database.`,
    );
  }
  await migrate(
    nestedPool(client),
    known.filter((migration) => migration.version <= version),
  );
  await assertFits(client, header.tables);
  await lockTables(
    client,
    header.tables.map((table) => table.name),
  );
  const { eventIds } = header;
  if (eventIds) await ensurePartitions(nestedPool(client), uuidTime(eventIds.first), uuidTime(eventIds.last));
}

async function assertEmpty(client: pg.PoolClient): Promise<void> {
  const present = await listTables(client);
  const tables = BACKED_UP_TABLES.filter((table) => present.includes(table));
  if (tables.length === 0) return;
  await lockTables(client, tables);
  const filled = await findFilledTable(client, tables);
  if (filled === null) return;
  throw new CommandError(
    `The database already holds Tocsin data (in the table ${filled}): restore into a new database, with another DATABASE_URL or DATA_DIR.`,
  );
}

async function assertFits(client: pg.PoolClient, tables: Header['tables']): Promise<void> {
  const names = tables.map((table) => table.name);
  const present = await listColumns(client, names);
  if (names.length > 0 && JSON.stringify(present) === JSON.stringify(tables)) return;
  throw damaged('its tables are not those of its schema version');
}

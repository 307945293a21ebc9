import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { startEmbeddedPostgres } from '@tocsin/embedded-postgres';
import { describe, expect, it } from 'vitest';
import { encodeFrames, type Header, MAGIC } from '../../src/backup/format.ts';
import { type Connection, createPool } from '../../src/database/database.ts';
import { createTestDatabase } from '../support/database.ts';
import { buildServer, findFreePort, runCommand } from '../support/program.ts';
import { temporaryDirectory } from './places.ts';
import { backUp, createNewDatabase, readTables, withPool } from './support.ts';

const REFUSAL =
  'This database was made before 0.2.0, the first release. Start with an empty DATA_DIR or database.\n';

/** Tables as left by a program with one migration, without the column for `min_program`. */
const OLD_SCHEMA = `CREATE TABLE schema_migrations (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
    applied_at timestamptz(3) NOT NULL DEFAULT now());
  INSERT INTO schema_migrations VALUES (1, '0001_accounts.sql', '00');
  CREATE TABLE users (id uuid PRIMARY KEY)`;

/** Roles, and the owners of the database, its schemas and tables. */
const CATALOGUE = `SELECT oid::text, rolname AS name, rolpassword AS value FROM pg_authid
  UNION ALL SELECT oid::text, datname, datdba::text FROM pg_database
  UNION ALL SELECT oid::text, nspname, nspowner::text FROM pg_namespace WHERE nspname = 'public'
  UNION ALL SELECT oid::text, relname, relowner::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
  ORDER BY oid, name`;

async function readAs(superuser: Connection, statement: string): Promise<unknown> {
  const pool = createPool({
    connection: superuser,
    applicationName: 'test',
    maxConnections: 1,
    onError: () => {},
  });
  try {
    return (await pool.query(statement)).rows;
  } finally {
    await pool.end();
  }
}

async function createOldDatabase(): Promise<string> {
  const url = await createNewDatabase();
  await withPool(url, 'other', (pool) => pool.query(OLD_SCHEMA));
  return url;
}

/** Returns the beginning of a backup of it; the rest is not read. */
function oldBackup(): Buffer {
  const header: Header = {
    format: 1,
    program: '0.1.0',
    createdAt: '2026-01-05T00:00:00.000Z',
    migrations: [{ version: 1, name: '0001_accounts.sql', checksum: '00' }],
    tables: [{ name: 'users', columns: ['id'] }],
    eventIds: null,
  };
  return gzipSync(Buffer.concat([MAGIC, ...encodeFrames('H', Buffer.from(JSON.stringify(header)))]));
}

describe('a database of before the first release', async () => {
  await buildServer();
  const ports = { PORT: String(await findFreePort()), INGEST_PORT: String(await findFreePort()) };

  it.each([[['start']], [['migrate']], [['migrate', '--check']]])(
    'refuses in %j a database of before the first release by one sentence and an exit code, and changes nothing',
    async (argv) => {
      const url = await createOldDatabase();
      const environment = { ...ports, DATABASE_URL: url };
      const { exitCode, stderr } = await runCommand(argv, { environment });
      expect({ exitCode, stderr }).toEqual({ exitCode: 6, stderr: REFUSAL });
      expect(await readTables(url)).toEqual(['schema_migrations', 'users']);
    },
  );

  it('refuses to start on a DATA_DIR of before the first release, before anything in its database is changed', async () => {
    const dataDirectory = path.join(await temporaryDirectory(), 'data');
    const made = await startEmbeddedPostgres({ dataDirectory, settings: { fsync: 'off' } });
    await readAs(
      made.maintenance,
      `${OLD_SCHEMA}; REASSIGN OWNED BY tocsin_service TO tocsin; DROP OWNED BY tocsin_service`,
    );
    await readAs(made.maintenance, 'DROP ROLE tocsin_service');
    const before = await readAs(made.maintenance, CATALOGUE);
    await made.stop();
    const environment = { ...ports, DATABASE_URL: '', DATA_DIR: dataDirectory };
    const { exitCode, stderr } = await runCommand(['start'], { environment });
    expect(stderr).toBe(REFUSAL);
    expect(exitCode).toBe(6);
    let after: unknown;
    const assertUsable = async (superuser: Connection) => {
      after = await readAs(superuser, CATALOGUE);
    };
    await (await startEmbeddedPostgres({ dataDirectory, assertUsable })).stop();
    expect(after).toEqual(before);
  });

  it('refuses to restore a backup of before the first release, and leaves the database empty', async () => {
    const file = path.join(await temporaryDirectory(), 'old.tocsin');
    await writeFile(file, oldBackup());
    const url = await createNewDatabase();
    const { exitCode, stderr } = await runCommand(['restore', file], { environment: { DATABASE_URL: url } });
    expect({ exitCode, stderr }).toEqual({ exitCode: 6, stderr: REFUSAL });
    expect(await readTables(url)).toEqual([]);
  });

  it('refuses to restore a backup into a database of before the first release', async () => {
    const url = await createOldDatabase();
    const file = path.join(await temporaryDirectory(), 'new.tocsin');
    await writeFile(file, await backUp((await createTestDatabase()).connectionString));
    const { exitCode, stderr } = await runCommand(['restore', file], { environment: { DATABASE_URL: url } });
    expect(stderr).toContain(REFUSAL);
    expect(exitCode).toBe(6);
  });
});

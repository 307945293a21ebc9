import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@tocsin/embedded-postgres';
import pg from 'pg';
import { createPool, type Pool } from '../../src/database/database.ts';
import { atEnd } from './at-end.ts';
import { createDataDirectory } from './data-directory.ts';
import type { TestDatabase } from './database.ts';
import { buildServer } from './program.ts';

interface OwnCluster {
  /** Its migrated database, as the service uses it. */
  database: TestDatabase;
  /** Runs SQL as a superuser, on a connection of its own. */
  administer: (sql: string) => Promise<Record<string, unknown>[]>;
  /** Stops the server, changes its files, and starts it. */
  restart: (prepare: (directory: string) => Promise<void>) => Promise<void>;
  /** Copies the files of the stopped server aside; it runs again afterwards. */
  save: (name: string) => Promise<void>;
  /** Starts the server with the files that were saved, as after a restored snapshot. */
  restore: (name: string, prepare?: (directory: string) => Promise<void>) => Promise<void>;
}

/** A PostgreSQL of the test file's own, which could have standbys. It ends with the file. */
export async function startOwnCluster(): Promise<OwnCluster> {
  await buildServer();
  const dataDirectory = await createDataDirectory();
  const server = await startEmbeddedPostgres({
    dataDirectory,
    settings: { fsync: 'off', wal_level: 'replica', max_wal_senders: '4' },
  });
  const { host, port, user, password, database } = server.connection;
  const connectionString = `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  const pool: Pool = createPool({
    connection: { connectionString },
    applicationName: 'tocsin-test',
    maxConnections: 2,
    onError: () => {},
  });
  atEnd(async () => {
    await pool.end();
    await server.stop();
  });

  const administer: OwnCluster['administer'] = async (sql) => {
    const client = new pg.Client(server.maintenance);
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  };
  const files = path.join(dataDirectory, 'postgres');
  const copyOf = (name: string) => path.join(dataDirectory, `saved-${name}`);
  const whileStopped = async (work: () => Promise<unknown>) => {
    const [{ pid }] = (await administer(
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer AS pid`,
    )) as [{ pid: number }];
    process.kill(pid, 'SIGINT');
    await server.exited;
    await work();
    await server.relaunch(new AbortController().signal);
  };
  return {
    database: { connectionString, pool },
    administer,
    restart: (prepare) => whileStopped(() => prepare(files)),
    save: (name) => whileStopped(() => promisify(execFile)('cp', ['-a', files, copyOf(name)])),
    restore: (name, prepare) =>
      whileStopped(async () => {
        await rm(files, { recursive: true });
        await rename(copyOf(name), files);
        await prepare?.(files);
      }),
  };
}

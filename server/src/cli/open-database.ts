import {
  findRunningPostgres,
  layOut,
  readClusterVersion,
  startEmbeddedPostgres,
} from '@tocsin/embedded-postgres';
import { copyDatabase } from '../backup/copy-database.ts';
import { printToStderr } from '../backup/progress.ts';
import type { Config } from '../config.ts';
import { assertReleasedDatabase } from '../database/assert-released-database.ts';
import { assertReachable, type Connection, createPool, type Pool } from '../database/database.ts';
import { assertSessionsAreKept } from '../database/pooler.ts';
import { CommandError } from '../platform/command-error.ts';

/** Mode of a command: beside a running service or alone, and with or without creating a missing embedded database. */
export type Access = 'beside' | 'beside, existing' | 'alone';

export interface OpenedDatabase {
  /** Pool without time limits: the commands take as long as their data needs. */
  pool: Pool;
  close: () => Promise<void>;
}

/**
 * Opens the database of the service: the one in DATABASE_URL, the embedded one that a service is running, or the
 * embedded one, which then runs until `close`. Once `signal` aborts, a database started here ends, with all work in
 * progress on it.
 * @throws DatabaseUnreachableError, EmbeddedPostgresError (with `alone`: also for a service that is running),
 * CommandError for an embedded database that must exist and does not
 */
export async function openDatabase(
  config: Config,
  applicationName: string,
  access: Access,
  signal: AbortSignal,
): Promise<OpenedDatabase> {
  const { connection, stop } = await findDatabase(config, access, signal);
  const onAbort = () => void stop();
  signal.addEventListener('abort', onAbort);
  const pool = createPool({
    connection,
    applicationName,
    maxConnections: 2,
    statementTimeoutMs: 0,
    // The user of the next connection gets the error.
    onError: () => {},
  });
  const close = async () => {
    signal.removeEventListener('abort', onAbort);
    await pool.end();
    await stop();
  };
  try {
    await assertReachable(pool, connection);
    await assertSessionsAreKept(pool);
    return { pool, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface FoundDatabase {
  connection: Connection;
  stop: () => Promise<void>;
}

async function findDatabase(config: Config, access: Access, signal: AbortSignal): Promise<FoundDatabase> {
  const { databaseUrl, dataDirectory, postgresUid: uid } = config;
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, stop: async () => {} };
  const running = access === 'alone' ? null : await findRunningPostgres(dataDirectory);
  if (running) return { connection: running, stop: async () => {} };
  if (access === 'beside, existing') await assertExists(dataDirectory);
  // A command that only reads an existing database does not change its major version.
  const upgrade = access === 'beside, existing' ? {} : { copyDatabase };
  return startEmbeddedPostgres({
    dataDirectory,
    uid,
    signal,
    warn: printToStderr,
    assertUsable: assertReleasedDatabase,
    ...upgrade,
  });
}

async function assertExists(dataDirectory: string): Promise<void> {
  if ((await readClusterVersion(layOut(dataDirectory))) !== null) return;
  throw new CommandError(
    `There is no database in ${dataDirectory} yet: set DATA_DIR or DATABASE_URL to the right one.`,
  );
}

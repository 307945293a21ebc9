import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Connection, DATABASE } from '../data-directory/connection-file.ts';
import { EmbeddedPostgresError } from '../platform/errors.ts';
import type { Postmaster } from './postmaster.ts';
import { readPostmasterFile } from './postmaster-file.ts';

const START_LIMIT_MS = 30_000;
/** Recovery after a crash replays up to all of `max_wal_size`. */
const RECOVERY_LIMIT_MS = 5 * 60_000;
const POLL_INTERVAL_MS = 10;

const LEFTOVERS = /pre-existing shared memory block|lock file "postmaster.pid" already exists/;
const LEFTOVERS_LIMIT_MS = 10_000;
const LEFTOVERS_INTERVAL_MS = 200;

/**
 * Starts the server and waits for it. If processes of a server that was killed still use its memory, the new one
 * refuses to start: it is tried again until they have noticed that they are orphans.
 */
export async function launchUntilReady(
  launch: () => Promise<Postmaster>,
  cluster: string,
  connection: Connection,
  signal: AbortSignal | undefined,
): Promise<Postmaster> {
  const deadline = performance.now() + LEFTOVERS_LIMIT_MS;
  for (;;) {
    const postmaster = await launch();
    try {
      await waitUntilReady(postmaster, cluster, connection, signal);
      return postmaster;
    } catch (error) {
      await postmaster.stop();
      if (!LEFTOVERS.test(postmaster.lastLines()) || performance.now() > deadline) throw error;
    }
    await delay(LEFTOVERS_INTERVAL_MS);
  }
}

/**
 * Resolves when the server accepts connections to our database.
 * @throws EmbeddedPostgresError `start_failed`, with the server's last output, if it ends or takes too long
 */
async function waitUntilReady(
  postmaster: Postmaster,
  cluster: string,
  connection: Connection,
  signal: AbortSignal | undefined,
): Promise<void> {
  const begin = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    const exit = postmaster.exit();
    if (exit !== undefined) throw startFailed(`it ended with ${exit.signal ?? exit.code}`, postmaster);
    const file = await readPostmasterFile(cluster);
    const own = file?.pid === postmaster.pid ? file : null;
    if (own?.status === 'ready') break;
    const limitMs = own?.status === 'starting' ? RECOVERY_LIMIT_MS : START_LIMIT_MS;
    if (performance.now() - begin > limitMs)
      throw startFailed(`it was not ready after ${limitMs / 1000} s`, postmaster);
    await delay(POLL_INTERVAL_MS);
  }
  try {
    await ensureDatabase(connection);
  } catch (error) {
    throw startFailed(error instanceof Error ? error.message : String(error), postmaster);
  }
}

function startFailed(reason: string, postmaster: Postmaster): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL did not start: ${reason}. Its last output:\n${postmaster.lastLines()}`,
  );
}

/** Creates our database in a new cluster, or in one whose first start was interrupted before this. */
async function ensureDatabase(connection: Connection): Promise<void> {
  try {
    await queryOnce(connection, 'SELECT');
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === NO_SUCH_DATABASE)) throw error;
    await queryOnce({ ...connection, database: 'postgres' }, `CREATE DATABASE ${DATABASE}`);
  }
}

const NO_SUCH_DATABASE = '3D000';

async function queryOnce(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  // A connection that breaks also rejects what waits for it.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}

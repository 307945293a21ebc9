import pg from 'pg';
import { type Clock, confirmedTime } from '../platform/clock.ts';
import { DatabasePool } from './client.ts';
import { reasonOf } from './connection-error.ts';
import { COMMIT_POSITION } from './position-queries.ts';
import { type PositionWatch, RefusedServerError } from './position-watch.ts';
import { isProtocolViolation, isUnavailable } from './sql-state.ts';

export type Pool = pg.Pool;
/** Target of a query: the pool, or the one connection of a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

export type Connection = { connectionString: string } | EmbeddedConnection;
interface EmbeddedConnection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

// Counts are bigint in the database and far below 2^53 in practice.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PoolOptions {
  connection: Connection;
  applicationName: string;
  maxConnections: number;
  /**
   * Time limit of a statement; default 30 s. 0: no limit, neither here nor on the server, nor for an idle
   * transaction.
   */
  statementTimeoutMs?: number;
  /** Watch that checks each new connection, and that commits tell their positions to; absent: none. */
  positions?: PositionWatch | undefined;
  /** Called for a connection that broke while idle; the pool replaces it by itself. */
  onError: (error: Error) => void;
}

/** How long a connection is silent before the system checks that the other end still exists. */
export const KEEP_ALIVE_DELAY_MS = 5_000;
/** How much longer than a statement may run the client waits for its end, before it considers the server dead. */
const ANSWER_GRACE_MS = 3_000;

/**
 * Creates a pool whose queries end: statements by their timeout, a transaction that stays idle after 10 s. Operations
 * that take as long as their data needs (migrations, backups) use one without limits.
 */
export function createPool(options: PoolOptions): Pool {
  const config: pg.PoolConfig = {
    ...options.connection,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    ...timeLimits(options.statementTimeoutMs ?? 30_000),
    onConnect: (client): unknown => prepare(client, options),
  };
  const pool = new DatabasePool(config, options.positions ?? null);
  // A connection that is cut while the pool ends is expected.
  pool.on('error', (error) => pool.ending || options.onError(error));
  return pool;
}

function timeLimits(statementTimeoutMs: number): pg.PoolConfig {
  if (statementTimeoutMs === 0) return {};
  return {
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    idle_in_transaction_session_timeout: 10_000,
  };
}

/**
 * Applies settings regardless of the server's defaults, the parameters of DATABASE_URL and a pooler before it, and
 * checks the server. The pool waits for the returned promise.
 */
async function prepare(
  client: pg.ClientBase,
  { applicationName, statementTimeoutMs, positions }: PoolOptions,
): Promise<void> {
  const name = `SET application_name = ${pg.escapeLiteral(applicationName)}`;
  const limits =
    statementTimeoutMs === 0
      ? // The driver sends no zeros, and a server may have limits of its own.
        'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0'
      : // Acknowledged data must be on the server's disk, and a commit that did not wait for its standby warns.
        'SET synchronous_commit = on; SET client_min_messages = warning';
  await client.query(`${name}; ${limits}`);
  await positions?.check(client);
}

/** Watch of a pool's positions, once the server tells them; null: there is none. */
export function positionsOf(pool: Pool): PositionWatch | null {
  return pool instanceof DatabasePool && pool.positions?.isKnown ? pool.positions : null;
}

export class DatabaseUnreachableError extends Error {
  override name = 'DatabaseUnreachableError';
}

/**
 * Connects once, so that a wrong address or password is reported as such.
 * @throws DatabaseUnreachableError with a sentence for the user who starts the program; never with a password
 * @throws RefusedServerError
 */
export async function assertReachable(pool: Pool, connection: Connection): Promise<void> {
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    if (error instanceof RefusedServerError) throw error;
    const advice = 'connectionString' in connection ? adviceOn(error) : '';
    throw new DatabaseUnreachableError(
      `The database at ${describeAddress(connection)} cannot be reached: ${reasonOf(error)}.${advice}`,
      { cause: error },
    );
  }
}

function adviceOn(error: unknown): string {
  // The only parameters at connecting that a server could refuse are our time limits, and only a pooler refuses them.
  return isProtocolViolation(error)
    ? ' A pooler before it has to let the time limits of connections pass: ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout.'
    : ' Check DATABASE_URL, and that PostgreSQL runs.';
}

function describeAddress(connection: Connection): string {
  if (!('connectionString' in connection)) return connection.host;
  // Without a host between `@` and `/` (a socket, named in the query), the driver takes it, and a URL is none.
  const { host, pathname } = new URL(connection.connectionString.replace('@/', '@socket/'));
  return `${host || 'localhost'}${pathname}`;
}

/** The database and the time, for changes. */
export interface Store {
  pool: Pool;
  clock: Clock;
}

/** The one connection of a transaction, with the time. The time advances: it is read after a wait for a lock. */
export interface Transaction extends Queryable, Clock {}

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. If the answer of a commit
 * got lost, the caller does not know if it took place, and receives the connection's error.
 */
export function inTransaction<T>(
  { pool, clock }: Store,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return inPlainTransaction(pool, (client) =>
    work({
      query: client.query.bind(client),
      now: () => clock.now(),
      confirmed: () => confirmedTime(clock),
    }),
  );
}

/** As `inTransaction`, for work that needs no time. */
export async function inPlainTransaction<T>(
  pool: Pool,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that dies while it is checked out notifies its listener as well as the running query.
  const onError = (error: Error) => (broken = error);
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    const positions = positionsOf(pool);
    await commit(client, positions?.isDue ? positions : null);
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/**
 * Runs one statement on a connection that `work` can name, as the pool does: it drops one whose statement failed.
 */
export async function onConnection<T>(pool: Pool, work: (client: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => (broken = error);
  client.on('error', onError);
  try {
    return await work(client);
  } catch (error) {
    broken ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** Commits, and tells the position of what it has committed: two statements of one round trip. */
async function commit(client: Queryable, positions: PositionWatch | null): Promise<void> {
  if (!positions) return void (await client.query('COMMIT'));
  positions.noteQuestion();
  // Several statements have a result each, which the driver's type does not say.
  const results: unknown = await client.query(`SELECT ${COMMIT_POSITION} AS position; COMMIT`);
  const [{ rows }] = results as [{ rows: [{ position: number | null }] }];
  if (rows[0].position !== null) positions.noteCommit(rows[0].position, client);
}

/** Runs reads that all see the database as it is at the first of them. */
export function inSnapshot<T>(pool: Pool, read: (snapshot: Queryable) => Promise<T>): Promise<T> {
  return inPlainTransaction(pool, async (snapshot) => {
    await snapshot.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return read(snapshot);
  });
}

/** Runs `work` such that its failure leaves the transaction as it was before, and usable. */
export async function inSavepoint<T>(transaction: Queryable, work: () => Promise<T>): Promise<T> {
  await transaction.query('SAVEPOINT part');
  try {
    const result = await work();
    await transaction.query('RELEASE SAVEPOINT part');
    return result;
  } catch (error) {
    // Without a connection there is no transaction any more, and the first error says more.
    if (!isUnavailable(error)) await transaction.query('ROLLBACK TO SAVEPOINT part');
    throw error;
  }
}

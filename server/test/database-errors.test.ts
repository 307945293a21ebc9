import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import type pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { DatabasePool } from '../src/database/client.ts';
import { ConnectionError } from '../src/database/connection-error.ts';
import { inPlainTransaction } from '../src/database/database.ts';
import { isMissingPartition, isUnavailable } from '../src/database/sql-state.ts';
import { toApiError } from '../src/http/error-handling.ts';
import { newUuid } from '../src/platform/ids.ts';
import { createTestDatabase } from './support/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/network-proxy.ts';
import { scaled } from './support/time-scale.ts';
import { waitFor } from './support/wait.ts';

async function errorOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('There was none.'),
    (error: Error) => error,
  );
}

function openPool(config: pg.PoolConfig): DatabasePool {
  const pool = new DatabasePool(config);
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  return pool;
}

async function endOthers(pool: pg.Pool): Promise<void> {
  const others = 'datname = current_database() AND pid <> pg_backend_pid()';
  await waitFor('other connections to end', async () => {
    const { rowCount } = await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`,
    );
    return rowCount === 0;
  });
}

describe('an error of a query', async () => {
  const { connectionString, pool } = await createTestDatabase();
  // A PostgreSQL backend in pg_sleep does not notice that its connection was cut.
  afterAll(() => endOthers(pool));

  const openOverProxy = async (config: pg.PoolConfig = {}) => {
    const proxy = await startDatabaseProxy(connectionString);
    return { proxy, pool: openPool({ ...proxy.connection, ...config }) };
  };

  it('classifies a value that cannot be written as an internal error', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const toPostgres = { toPostgres: () => toPostgres };
    for (const value of [circular, { count: 1n }, toPostgres]) {
      for (const ask of [
        () => pool.query('SELECT $1::jsonb', [value]),
        () => inPlainTransaction(pool, (transaction) => transaction.query('SELECT $1::jsonb', [value])),
      ]) {
        const error = await errorOf(ask());
        expect(error.message).toMatch(/circular|BigInt/);
        expect(isUnavailable(error)).toBe(false);
        expect(toApiError(error).code).toBe('internal');
      }
    }
  });

  it('classifies an invalid query and a missing file as internal errors', async () => {
    for (const ask of [
      () => pool.query('SELEKT'),
      () => pool.query({ text: 'SELECT $1::int', values: 'one' as unknown as string[] }),
      () => readFile('/there/is/no/such/file'),
    ]) {
      expect(toApiError(await errorOf(ask())).code).toBe('internal');
    }
  });

  /** All of them are plain errors of the driver: this test fails when the driver changes a message. */
  const interruptions: Record<string, (proxy: DatabaseProxy, pool: DatabasePool) => Promise<Error>> = {
    'lost in the middle of a query': async (proxy, pool) => {
      const asking = errorOf(pool.query('SELECT pg_sleep(600)'));
      await waitFor('the query to be under way', () => proxy.connections() === 1 && pool.totalCount === 1);
      await waitFor('the connection to be used', () => pool.idleCount === 0);
      proxy.cut();
      return asking;
    },
    'lost in the middle of a transaction': async (proxy, pool) =>
      errorOf(
        inPlainTransaction(pool, async (transaction) => {
          const asking = errorOf(transaction.query('SELECT pg_sleep(600)'));
          proxy.cut();
          return Promise.reject(await asking);
        }),
      ),
    'used after it was lost': async (proxy, pool) =>
      errorOf(
        inPlainTransaction(pool, async (transaction) => {
          const asking = errorOf(transaction.query('SELECT pg_sleep(600)'));
          proxy.cut();
          await asking;
          return transaction.query('SELECT 1');
        }),
      ),
    'ended in the middle of a query': async (_proxy, pool) => {
      const client = await pool.connect();
      client.on('error', () => {});
      const asking = errorOf(client.query('SELECT pg_sleep(600)'));
      client.release(true);
      return asking;
    },
    'not answered in time': async (proxy, pool) => {
      await pool.query('SELECT 1');
      proxy.silence();
      return errorOf(pool.query('SELECT 1'));
    },
    'not free in time': async (_proxy, pool) => {
      const clients = await Promise.all([pool.connect(), pool.connect()]);
      const error = await errorOf(pool.query('SELECT 1'));
      for (const client of clients) client.release();
      return error;
    },
    'of a pool that has ended': async (proxy) => {
      const ended = new DatabasePool(proxy.connection);
      await ended.end();
      return errorOf(ended.query('SELECT 1'));
    },
  };

  it.each(Object.entries(interruptions))(
    'classifies a connection that is %s as an outage',
    async (_how, interrupt) => {
      const { proxy, pool } = await openOverProxy({
        max: 2,
        query_timeout: scaled(2_000),
        connectionTimeoutMillis: scaled(2_000),
      });
      const error = await interrupt(proxy, pool);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(isUnavailable(error)).toBe(true);
      expect(toApiError(error)).toMatchObject({ code: 'unavailable', extras: { retryAfterSeconds: 1 } });
    },
  );

  it('classifies a closed port and a silent one as an outage', async () => {
    const refused = await errorOf(openPool({ host: '127.0.0.1', port: 1 }).query('SELECT 1'));
    expect(refused).toMatchObject({ name: 'ConnectionError', code: 'ECONNREFUSED', isTimeout: false });
    const missing = await errorOf(openPool({ host: '/there/is/no/socket' }).query('SELECT 1'));
    expect(missing).toMatchObject({ name: 'ConnectionError', code: 'ENOENT' });

    const silent = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const asked = openPool({ host: '127.0.0.1', port, connectionTimeoutMillis: 50 }).query('SELECT 1');
    expect(await errorOf(asked)).toMatchObject({ name: 'ConnectionError', isTimeout: true });
  });

  it('classifies a row outside all weeks as a missing partition, and a violated named check as none', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass`,
    );
    for (const { name } of rows) await pool.query(`DROP TABLE ${name}`);
    const insertEvent = `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, message,
        correlation_id, fingerprint, correlation, payload)
      VALUES ($1, $1, $1, now(), 'info', 't', 'm', 'c', 'f', '{}', '{}')`;
    const missing = await errorOf(pool.query(insertEvent, [newUuid(Date.UTC(2026, 10, 18))]));
    expect(missing).toMatchObject({ code: '23514' });
    expect(isMissingPartition(missing)).toBe(true);

    await pool.query('ALTER TABLE event_counts ADD CONSTRAINT counted CHECK (count > 0)');
    const refused = await errorOf(
      pool.query(
        `INSERT INTO event_counts (organization_id, project_id, minute, severity, type, source, count)
          VALUES ($1, $1, now(), 'info', 't', NULL, 0)`,
        [newUuid(Date.UTC(2026, 10, 18))],
      ),
    );
    expect(refused).toMatchObject({ code: '23514', constraint: 'counted' });
    expect(isMissingPartition(refused)).toBe(false);
  });

  it('keeps what PostgreSQL said, whether that is an outage or not', async () => {
    const { proxy, pool } = await openOverProxy({ statement_timeout: 20 });
    const timeout = await errorOf(pool.query('SELECT pg_sleep(600)'));
    expect(timeout).toMatchObject({ name: 'error', code: '57014' });
    expect(isUnavailable(timeout)).toBe(true);
    const wrong = openPool({ ...proxy.connection, user: 'nobody_of_this_name' });
    expect(await errorOf(wrong.query('SELECT 1'))).not.toBeInstanceOf(ConnectionError);
  });
});

describe('after a failover that closed no connection', async () => {
  const { connectionString, pool: direct } = await createTestDatabase();
  afterAll(() => endOthers(direct));

  it('opens a new connection for the second attempt after a failover, however many old ones there were', async () => {
    const proxy = await startDatabaseProxy(connectionString);
    const pool = openPool({ ...proxy.connection, max: 5, query_timeout: scaled(1_000) });
    await Promise.all(Array.from({ length: 5 }, () => pool.query('SELECT pg_sleep(0.1)')));
    expect([pool.idleCount, proxy.connections()]).toEqual([5, 5]);
    proxy.silence();
    expect(await errorOf(pool.query('SELECT 1'))).toMatchObject({ isTimeout: true });
    expect(pool.idleCount).toBe(0);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(proxy.connections()).toBe(6);
  });
});

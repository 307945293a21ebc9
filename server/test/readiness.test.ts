import { describe, expect, it, onTestFinished } from 'vitest';
import { createPool, type Pool } from '../src/database/database.ts';
import { createReadiness } from '../src/http/readiness.ts';
import { createTestDatabase } from './support/database.ts';
import { startDatabaseProxy } from './support/network-proxy.ts';

function open(connectionString: string, options: { maxConnections?: number } = {}): Pool {
  const pool = createPool({
    connection: { connectionString },
    applicationName: 'tocsin-test',
    maxConnections: options.maxConnections ?? 2,
    onError: () => {},
  });
  onTestFinished(() => pool.end());
  return pool;
}

describe('readiness', async () => {
  const { connectionString } = await createTestDatabase();

  it('reports readiness while the database answers, is migrated and accepts writes', async () => {
    expect(await createReadiness(open(connectionString))()).toEqual({
      reason: null,
      synchronousStandbys: null,
    });
  });

  it('names a database that takes no writes', async () => {
    const readOnly = `${connectionString}&options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
    expect(await createReadiness(open(readOnly))()).toMatchObject({ reason: 'The database is read-only.' });
  });

  it('answers within its time limit if the database is silent, with one query at a time', async () => {
    const proxy = await startDatabaseProxy(connectionString);
    const pool = open(proxy.url);
    await pool.query('SELECT 1');
    proxy.silence();
    const findReason = createReadiness(pool, 20);
    expect(await findReason()).toMatchObject({ reason: 'The database does not answer.' });
    expect(await findReason()).toMatchObject({ reason: 'The database does not answer.' });
    expect([pool.totalCount, pool.waitingCount]).toEqual([1, 0]);
    proxy.cut();
  });
});

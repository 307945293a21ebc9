import { describe, expect, it } from 'vitest';
import { createPool } from '../../src/database/database.ts';
import { assertSessionsAreKept } from '../../src/database/pooler.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTransactionPooler } from '../support/transaction-pooler.ts';

describe('the check for a transaction pooler', async () => {
  const { pool, connectionString } = await createTestDatabase();
  const port = await startTransactionPooler(connectionString);

  it('passes on a direct connection and leaves it as it was', async () => {
    await assertSessionsAreKept(pool);
    expect([pool.idleCount, pool.totalCount]).toEqual([1, 1]);
  });

  it('names the pooler that shares server connections between clients', async () => {
    const pooled = createPool({
      connection: { connectionString: `postgres://tocsin@127.0.0.1:${port}/tocsin` },
      applicationName: 'tocsin-test',
      maxConnections: 2,
      onError: () => {},
    });
    await expect(assertSessionsAreKept(pooled)).rejects.toThrow(
      /behind a pooler in transaction mode .*connect directly/,
    );
    await pooled.end();
  });
});

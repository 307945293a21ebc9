import type pg from 'pg';
import type { Pool } from '../database/database.ts';

const SAVEPOINTS: Record<string, string> = {
  BEGIN: 'SAVEPOINT nested',
  COMMIT: 'RELEASE SAVEPOINT nested',
  ROLLBACK: 'ROLLBACK TO SAVEPOINT nested',
};

/**
 * A pool for code that makes transactions of its own (migrations, partitions), such that all of them are part of the
 * transaction that is open on `client`: theirs become savepoints. For one user at a time. The connection stays with
 * its owner, who must end it rather than release it: state of the session (an advisory lock, a setting) outlives the
 * transaction.
 */
export function nestedPool(client: pg.PoolClient): Pool {
  const nested = Object.create(client, {
    query: {
      value: (query: string | pg.QueryConfig, values?: unknown[]) =>
        client.query(typeof query === 'string' ? (SAVEPOINTS[query] ?? query) : query, values),
    },
    release: { value: () => {} },
  }) as pg.PoolClient;
  // Only the methods that those functions use: `connect` and `query`.
  return {
    connect: async () => nested,
    query: (text: string, values?: unknown[]) => nested.query(text, values),
  } as unknown as Pool;
}

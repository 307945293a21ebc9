import type { Pool, PoolClient } from 'pg';

/**
 * Begins a transaction that a test leaves idle while something else happens. The pool's limit on idle transactions is not
 * for it: on a busy machine the rest of the test takes longer. It ends with `COMMIT` or `ROLLBACK`.
 */
export async function beginHeldTransaction(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  return client;
}

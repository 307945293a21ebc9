import type pg from 'pg';
import type { Pool } from './database.ts';

/**
 * Runs `work` on a connection that ends with it, whatever happened: with the connection end a transaction
 * that is still open, a COPY that was not read to its end, and the locks of the session.
 */
export async function withOwnConnection<T>(
  pool: Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // A connection that breaks tells the query that runs, and besides this listener, without which it would throw.
  const ignore = () => {};
  client.on('error', ignore);
  try {
    return await work(client);
  } finally {
    client.release(true);
  }
}

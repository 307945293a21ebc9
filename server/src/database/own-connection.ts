import type pg from 'pg';
import type { Pool } from './database.ts';

/**
 * Runs `work` on a connection that ends with it, whatever happened: an open transaction, a COPY that was not read to
 * its end, and the locks of the session end with the connection.
 */
export async function withOwnConnection<T>(
  pool: Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // A connection that breaks rejects the running query, and also emits an error, which would be thrown without this
  // listener.
  const ignore = () => {};
  client.on('error', ignore);
  try {
    return await work(client);
  } finally {
    client.release(true);
  }
}

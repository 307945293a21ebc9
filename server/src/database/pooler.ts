import type pg from 'pg';
import { onConnection, type Pool, type Queryable } from './database.ts';
import { withOwnConnection } from './own-connection.ts';
import { sqlState } from './sql-state.ts';

/** Error of a pooler between the service and PostgreSQL, in a mode that the service cannot work with. */
export class PoolerError extends Error {
  override name = 'PoolerError';
}

/**
 * Recognises a pooler that passes a server connection to another client between transactions (PgBouncer with
 * `pool_mode = transaction` or `statement`, Supavisor on its transaction port). Prepared statements, session settings
 * and notifications, which the service relies on, do not survive there.
 *
 * While the first client idles outside a transaction, a second one begins a transaction. Two sessions have two server
 * processes; a transaction pooler gives the second client the idle process of the first.
 * @throws PoolerError
 */
export async function assertSessionsAreKept(pool: Pool): Promise<void> {
  const areKept = await onConnection(pool, async (first) => {
    const idle = await findServerProcess(first);
    const busy = await withOwnConnection(pool, async (second) => {
      await begin(second);
      const process = await findServerProcess(second);
      await second.query('ROLLBACK');
      return process;
    });
    return idle !== busy;
  });
  if (!areKept) throw new PoolerError(POOLER_SENTENCE);
}

const POOLER_SENTENCE =
  'The database is behind a pooler in transaction mode (such as PgBouncer with pool_mode = transaction), where prepared statements, session settings and notifications are lost: connect directly, or use pool_mode = session.';

/** In statement mode PgBouncer refuses transactions; PostgreSQL itself always begins one. */
async function begin(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('BEGIN');
  } catch (error) {
    throw sqlState(error) ? new PoolerError(POOLER_SENTENCE, { cause: error }) : error;
  }
}

async function findServerProcess(client: Queryable): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

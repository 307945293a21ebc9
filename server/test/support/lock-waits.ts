import type { Pool } from '../../src/database/database.ts';

/** Counts the connections to the database that wait for a lock. */
export async function countLockWaits(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
}

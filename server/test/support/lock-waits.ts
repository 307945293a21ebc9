import type { Pool } from '../../src/database/database.ts';

/** How many connections to the database wait for a lock now. */
export async function countLockWaits(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
}

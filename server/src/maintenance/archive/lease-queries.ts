import type { Queryable } from '../../database/database.ts';

/** Name of the lease of the process that moves. */
export const ARCHIVE_LEASE = 'archive';

/** True while a process has the lease. */
export async function isArchiveHeld(database: Queryable): Promise<boolean> {
  const { rowCount } = await database.query(
    'SELECT FROM leases WHERE name = $1 AND expires_at > clock_timestamp()',
    [ARCHIVE_LEASE],
  );
  return rowCount === 1;
}

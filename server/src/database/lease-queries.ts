import { latestHold } from '../platform/stored-times.ts';
import type { Queryable } from './database.ts';

/**
 * Acquires or renews a lease and locks its row until the transaction ends. The clock is the database's: the holders
 * run on machines whose clocks differ.
 * @returns true if the holder has it now; false while another's has not expired
 */
export async function acquireLease(
  database: Queryable,
  lease: { name: string; holderId: string; durationMs: number },
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'acquire-lease',
    text: `INSERT INTO leases AS l (name, holder_id, expires_at)
      VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3::float8 / 1000))
      ON CONFLICT (name) DO UPDATE SET holder_id = excluded.holder_id, expires_at = excluded.expires_at
        WHERE l.holder_id = excluded.holder_id OR l.expires_at <= clock_timestamp()
          OR l.expires_at > clock_timestamp() + make_interval(secs => $4::float8 / 1000)`,
    values: [lease.name, lease.holderId, lease.durationMs, latestHold(0, lease.durationMs)],
  });
  return rowCount === 1;
}

export async function deleteLease(database: Queryable, name: string, holderId: string): Promise<void> {
  await database.query('DELETE FROM leases WHERE name = $1 AND holder_id = $2', [name, holderId]);
}

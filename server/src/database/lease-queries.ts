import { latestHold } from '../platform/stored-times.ts';
import type { Queryable } from './database.ts';

/** True for a row that this holder has, or that no process holds any more: $2 is the holder, $4 the latest hold in milliseconds. */
const IS_OBTAINABLE = `(l.holder_id = $2 OR l.expires_at <= clock_timestamp()
  OR l.expires_at > clock_timestamp() + make_interval(secs => $4::float8 / 1000))`;

/**
 * Acquires or renews a lease and locks its row until the transaction ends. The clock is the database's: the holders
 * run on machines whose clocks differ. A row that another transaction has locked is another's, without a wait until it
 * ends, and the row of another's valid lease is not locked: its holder renews it at any moment.
 * @returns true if the holder has it now; false while another's has not expired, or its transaction goes on
 */
export async function acquireLease(
  database: Queryable,
  lease: { name: string; holderId: string; durationMs: number },
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'acquire-lease',
    text: `WITH locked AS (
        SELECT FROM leases AS l WHERE l.name = $1 AND ${IS_OBTAINABLE} FOR UPDATE SKIP LOCKED
      )
      INSERT INTO leases AS l (name, holder_id, expires_at)
      SELECT $1, $2, clock_timestamp() + make_interval(secs => $3::float8 / 1000)
      WHERE EXISTS (SELECT FROM locked) OR NOT EXISTS (SELECT FROM leases WHERE name = $1)
      ON CONFLICT (name) DO UPDATE SET holder_id = excluded.holder_id, expires_at = excluded.expires_at
        WHERE ${IS_OBTAINABLE}`,
    values: [lease.name, lease.holderId, lease.durationMs, latestHold(0, lease.durationMs)],
  });
  return rowCount === 1;
}

/** Renews a lease that this holder has had since it acquired it. @returns false if another holder has had it meanwhile */
export async function updateLease(
  database: Queryable,
  { name, holderId, durationMs }: Parameters<typeof acquireLease>[1],
): Promise<boolean> {
  const { rowCount } = await database.query(
    `UPDATE leases SET expires_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
      WHERE name = $1 AND holder_id = $2`,
    [name, holderId, durationMs],
  );
  return rowCount === 1;
}

export async function deleteLease(database: Queryable, name: string, holderId: string): Promise<void> {
  await database.query('DELETE FROM leases WHERE name = $1 AND holder_id = $2', [name, holderId]);
}

import type { Queryable } from '../database/database.ts';

/** Maximum time between two heartbeats that counts as present. */
export const LIVENESS_TOLERANCE_MS = 15_000;

/**
 * Records the liveness heartbeat of a process that accepts events, by the clock that stamps them. After a longer
 * pause, or when the clock was set back, another interval begins. Losing the last heartbeat in a crash is harmless,
 * so the commit does not wait for the disk.
 * @param onDisk number of events that wait on the disk of the process, by project
 */
export async function upsertLiveness(
  database: Queryable,
  processId: string,
  now: Date,
  onDisk: Record<string, number> = {},
): Promise<void> {
  await database.query({
    name: 'upsert-liveness',
    text: `WITH renewed AS (
        UPDATE intake_presence SET until = $2, told_at = clock_timestamp(), on_disk = $4
        WHERE process_id = $1 AND until BETWEEN $2::timestamptz - make_interval(secs => $3::float8 / 1000) AND $2
        RETURNING set_config('synchronous_commit', 'off', true)
      )
      INSERT INTO intake_presence (process_id, since, until, told_at, on_disk)
        SELECT $1, $2, $2, clock_timestamp(), $4 WHERE NOT EXISTS (SELECT FROM renewed)
        ON CONFLICT (process_id, since) DO UPDATE
          SET until = excluded.until, told_at = excluded.told_at, on_disk = excluded.on_disk
        RETURNING set_config('synchronous_commit', 'off', true)`,
    values: [processId, now, LIVENESS_TOLERANCE_MS, onDisk],
  });
}

/** Interval in which a process accepted events, in milliseconds of its clock. */
export interface LivenessInterval {
  sinceMs: number;
  untilMs: number;
  /** True if it still lasts: it is the latest of its process, and recent. */
  isCurrent: boolean;
}

export async function listLivenessIntervals(database: Queryable, after: Date): Promise<LivenessInterval[]> {
  const { rows } = await database.query<LivenessInterval>({
    name: 'list-liveness-intervals',
    text: `SELECT extract(epoch FROM since)::float8 * 1000 AS "sinceMs", extract(epoch FROM until)::float8 * 1000 AS "untilMs",
        told_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000)
          AND told_at = max(told_at) OVER (PARTITION BY process_id) AS "isCurrent"
      FROM intake_presence WHERE until >= $1 OR told_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000)
      ORDER BY since`,
    values: [after, LIVENESS_TOLERANCE_MS],
  });
  return rows;
}

/** True if another process than this one accepts events. */
export async function isTakenInElsewhere(database: Queryable, processId: string): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>({
    name: 'is-taken-in-elsewhere',
    text: `SELECT EXISTS (SELECT FROM intake_presence
        WHERE process_id <> $1 AND told_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000)) AS found`,
    values: [processId, LIVENESS_TOLERANCE_MS],
  });
  return rows[0]?.found ?? true;
}

export async function deleteLivenessBefore(database: Queryable, before: Date): Promise<void> {
  await database.query('DELETE FROM intake_presence WHERE until < $1 AND told_at < $1', [before]);
}

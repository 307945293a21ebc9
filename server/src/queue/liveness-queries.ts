import type { Queryable } from '../database/database.ts';
import { MINUTE_MS } from '../platform/durations.ts';

/** Maximum time between two heartbeats that counts as present. */
export const LIVENESS_TOLERANCE_MS = 15_000;
/**
 * Time for which a process that reports no more, and has not said that it ends, may still receive events that it cannot
 * store: it has lost the database, or it is gone.
 */
export const MAX_LOSS_MS = 10 * MINUTE_MS;

interface LivenessReport {
  /** Number of events that wait on the disk of the process, by project. */
  onDisk?: Record<string, number>;
  /** True if it has kept events on disk since its last report: another interval begins. */
  hasSpooled?: boolean;
  /** True if it ends with this report. */
  isLast?: boolean;
}

const TOLD_AT = `CASE WHEN $5 THEN '-infinity' ELSE clock_timestamp() END`;

/**
 * Records the liveness heartbeat of a process that accepts events, by the clock that stamps them. After a longer
 * pause, or when the clock was set back, another interval begins. Losing the last heartbeat in a crash is harmless,
 * so the commit does not wait for the disk.
 */
export async function upsertLiveness(
  database: Queryable,
  processId: string,
  now: Date,
  { onDisk = {}, hasSpooled = false, isLast = false }: LivenessReport = {},
): Promise<void> {
  await database.query({
    name: 'upsert-liveness',
    text: `WITH renewed AS (
        UPDATE intake_presence SET until = $2, told_at = ${TOLD_AT}, on_disk = $4
        WHERE process_id = $1 AND until >= $2::timestamptz - make_interval(secs => $3::float8 / 1000)
          AND since = (SELECT max(since) FROM intake_presence WHERE process_id = $1 AND until <= $2)
        RETURNING set_config('synchronous_commit', 'off', true)
      )
      INSERT INTO intake_presence (process_id, since, until, told_at, on_disk)
        SELECT $1, $2, $2, ${TOLD_AT}, $4 WHERE NOT EXISTS (SELECT FROM renewed)
        ON CONFLICT (process_id, since) DO UPDATE
          SET until = excluded.until, told_at = excluded.told_at, on_disk = excluded.on_disk
        RETURNING set_config('synchronous_commit', 'off', true)`,
    values: [processId, now, hasSpooled ? 0 : LIVENESS_TOLERANCE_MS, onDisk, isLast],
  });
}

/** Interval in which a process accepted events, in milliseconds of its clock. */
export interface LivenessInterval {
  sinceMs: number;
  untilMs: number;
  /** True if it still lasts: it is the latest of its process, and recent. */
  isCurrent: boolean;
  /** End of the time after it in which the process may have received what it could not store; null: there is none. */
  lostUntilMs: number | null;
}

export async function listLivenessIntervals(database: Queryable, after: Date): Promise<LivenessInterval[]> {
  const { rows } = await database.query<LivenessInterval>({
    name: 'list-liveness-intervals',
    text: `SELECT extract(epoch FROM since)::float8 * 1000 AS "sinceMs", extract(epoch FROM until)::float8 * 1000 AS "untilMs",
        is_current AS "isCurrent", CASE WHEN told_at > '-infinity' AND NOT is_current
          THEN least(extract(epoch FROM until)::float8 * 1000 + $3, extract(epoch FROM next_since)::float8 * 1000)
        END AS "lostUntilMs"
      FROM (
        SELECT *, lead(since) OVER (PARTITION BY process_id ORDER BY since) AS next_since,
          told_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000)
            AND row_number() OVER (PARTITION BY process_id ORDER BY told_at DESC, since DESC) = 1 AS is_current
        FROM intake_presence WHERE until >= $1::timestamptz - make_interval(secs => $3::float8 / 1000)
          OR told_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000)
      ) AS intervals ORDER BY since`,
    values: [after, LIVENESS_TOLERANCE_MS, MAX_LOSS_MS],
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

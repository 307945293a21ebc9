import type pg from 'pg';

/** A connection or a pool: `database.ts` imports this file. */
type Queryable = Pick<pg.Pool, 'query'>;

/** SQL: the end of the write-ahead log, in bytes. */
export const POSITION = `(pg_current_wal_insert_lsn() - '0/0')::bigint`;
/** SQL: the same in a transaction whose commit will wait until it is durable; null in others. */
export const COMMIT_POSITION = `CASE WHEN pg_current_xact_id_if_assigned() IS NOT NULL
    AND current_setting('synchronous_commit') = 'on' THEN ${POSITION} END`;

const ACCEPTED = 'accepted database';

/** The place of a primary in the history of its cluster. */
export interface FoundPosition {
  /** Identifier of the cluster: positions of others mean nothing here. */
  system: string;
  /** Number that each promotion raises. */
  timeline: number;
  /** End of its write-ahead log, in bytes. */
  position: number;
  /** End of what it had when it was promoted, or had crashed; null: it was started after an orderly stop. */
  recoveredTo: number | null;
  /** Start of the server, in seconds, as a text to compare. */
  startedAt: string;
  /** When a person last accepted the database as it is; 0: never. */
  acceptedMs: number;
  /** Time of the newest commit that it replayed before it became the primary; null: it replayed none since its start. */
  replayedMs: number | null;
  /** Time of the newest heartbeat that it has; null: none. */
  toldMs: number | null;
}

/** The place of the server; null: it is a standby. */
export async function findPosition(database: Queryable): Promise<FoundPosition | null> {
  const { rows } = await database.query<FoundPosition>(
    `SELECT system_identifier::text AS system,
        ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer AS timeline,
        ${POSITION} AS position, (pg_last_wal_replay_lsn() - '0/0')::bigint AS "recoveredTo",
        extract(epoch FROM pg_postmaster_start_time())::text AS "startedAt",
        coalesce((SELECT value::float8 FROM settings WHERE name = '${ACCEPTED}'), 0) AS "acceptedMs",
        extract(epoch FROM pg_last_xact_replay_timestamp())::float8 * 1000 AS "replayedMs",
        (SELECT extract(epoch FROM max(told_at))::float8 * 1000 FROM intake_presence
          WHERE told_at > '-infinity') AS "toldMs"
      FROM pg_control_system() WHERE NOT pg_is_in_recovery()`,
  );
  return rows[0] ?? null;
}

/**
 * Records that a person takes the database as it is. Processes notice an acceptance that is later than the last one that
 * they saw, perhaps on another server: so the clock of a server that is behind must not decide alone. One that only
 * differs may be an earlier one, which a restored snapshot has.
 */
export async function upsertAcceptance(database: Queryable, nowMs: number): Promise<void> {
  await database.query(
    `INSERT INTO settings (name, value)
      VALUES ($1, greatest($2::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)::text)
      ON CONFLICT (name) DO UPDATE
        SET value = greatest(excluded.value::bigint, settings.value::bigint + 1)::text`,
    [ACCEPTED, Math.floor(nowMs)],
  );
}

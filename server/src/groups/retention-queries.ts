import type { Queryable } from '../database/database.ts';
import { deleteChunk } from '../database/retention-queries.ts';

/** Adds minutes from before a whole hour to their hours. @returns the number of minutes, at most `limit` */
export async function addMinutesToHours(database: Queryable, before: Date, limit: number): Promise<number> {
  const { rows } = await database.query<{ minutes: number }>(
    `WITH taken AS (
        DELETE FROM group_minutes WHERE ctid = ANY (ARRAY(
          SELECT oldest.ctid FROM projects CROSS JOIN LATERAL (
            SELECT ctid FROM group_minutes
            WHERE project_id = projects.id AND minute < $1 ORDER BY minute LIMIT $2 FOR UPDATE SKIP LOCKED
          ) AS oldest LIMIT $2
        )) RETURNING group_id, project_id, minute, info, warn, error, critical
      ), added AS (
        INSERT INTO group_hours AS h (group_id, project_id, hour, info, warn, error, critical)
        SELECT group_id, project_id, date_trunc('hour', minute, 'UTC'), sum(info), sum(warn), sum(error), sum(critical)
        FROM taken GROUP BY 1, 2, 3 ORDER BY 1, 3
        ON CONFLICT (group_id, hour) DO UPDATE SET info = h.info + excluded.info, warn = h.warn + excluded.warn,
          error = h.error + excluded.error, critical = h.critical + excluded.critical
      )
      SELECT count(*) AS minutes FROM taken`,
    [before, limit],
  );
  return rows[0]?.minutes ?? 0;
}

export async function deleteGroupHoursBefore(
  database: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM group_hours WHERE ctid = ANY (ARRAY(
        SELECT oldest.ctid FROM projects CROSS JOIN LATERAL (
          SELECT ctid FROM group_hours WHERE project_id = projects.id AND hour < $1 ORDER BY hour LIMIT $2
        ) AS oldest LIMIT $2))`,
    [before, limit],
  );
  return rowCount ?? 0;
}

/**
 * Deletes open groups whose last event is older, with all their data, unless a person ever changed them. The
 * catch-all group stays. One that gets an event meanwhile stays as well: the transaction that counts it has locked
 * its row.
 */
export async function deleteGroupsLastSeenBefore(
  database: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rows } = await database.query<{ groups: number }>(
    `WITH old AS (
        DELETE FROM groups WHERE id = ANY (ARRAY(
            SELECT oldest.id FROM projects CROSS JOIN LATERAL (
              SELECT id FROM groups AS g
              WHERE g.project_id = projects.id AND g.state = 'open' AND g.merged_into IS NULL AND g.last_seen < $1
                AND NOT g.is_touched AND g.number > 0
              ORDER BY g.last_seen LIMIT $2
            ) AS oldest LIMIT $2))
          AND last_seen < $1 AND NOT is_touched AND state = 'open' AND merged_into IS NULL
        RETURNING id
      ), fingerprints AS (
        DELETE FROM group_fingerprints WHERE group_id IN (SELECT id FROM old)
      ), users AS (
        DELETE FROM group_users WHERE group_id IN (SELECT id FROM old)
      ), releases AS (
        DELETE FROM group_releases WHERE group_id IN (SELECT id FROM old)
      ), history AS (
        DELETE FROM group_history WHERE group_id IN (SELECT id FROM old)
      ), minutes AS (
        DELETE FROM group_minutes WHERE group_id IN (SELECT id FROM old)
      ), hours AS (
        DELETE FROM group_hours WHERE group_id IN (SELECT id FROM old)
      )
      SELECT count(*) AS groups FROM old`,
    [before, limit],
  );
  return rows[0]?.groups ?? 0;
}

/** Deletes fingerprints of an earlier algorithm that have expired: they lead nowhere any more. */
export function deleteExpiredFingerprints(database: Queryable, now: Date, limit: number): Promise<number> {
  return deleteChunk(database, ['group_fingerprints', 'expires_at < $1'], now, limit);
}

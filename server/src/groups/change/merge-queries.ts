import { ADVISORY_LOCKS } from '../../database/advisory-locks.ts';
import type { Queryable } from '../../database/database.ts';
import { eventsOn } from '../../events/read/events-on.ts';
import { MAX_KNOWN_USERS } from '../limits.ts';

/** Locks merges until the transaction ends. Storing events needs no such lock: it locks the groups themselves. */
export async function lockMerges(database: Queryable, projectId: string): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [ADVISORY_LOCKS.merges, projectId]);
}

/** The groups that were merged into one of these. */
export async function listMergedIds(database: Queryable, groupIds: readonly string[]): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    'SELECT id FROM groups WHERE merged_into = ANY ($1::uuid[]) ORDER BY id',
    [groupIds],
  );
  return rows.map(({ id }) => id);
}

/** @param targetId null: they stand for themselves again */
export async function updateMergedInto(
  database: Queryable,
  groupIds: readonly string[],
  targetId: string | null,
): Promise<void> {
  await database.query('UPDATE groups SET merged_into = $2, is_touched = true WHERE id = ANY ($1::uuid[])', [
    groupIds,
    targetId,
  ]);
}

/**
 * Computes the counts of a group with those merged into it, from what each counts alone: after a group was separated
 * from it, or before it is merged. First and last seen come from the events that are kept, as does its last release
 * if that is one of the separated groups.
 */
export async function updateOwnCounts(
  database: Queryable,
  organizationId: string,
  groupId: string,
): Promise<void> {
  const { firstSeen, lastSeen, lastRelease } = await eventsOn(database).findEndsOfGroup(
    organizationId,
    groupId,
  );
  await database.query(
    `WITH family AS (
        SELECT id FROM groups WHERE id = $1 OR merged_into = $1
      ), counted AS (
        SELECT info, warn, error, critical FROM group_minutes WHERE group_id IN (SELECT id FROM family)
        UNION ALL
        SELECT info, warn, error, critical FROM group_hours WHERE group_id IN (SELECT id FROM family)
      )
      UPDATE groups SET first_seen = coalesce($2, first_seen),
        last_seen = coalesce($3, last_seen),
        -- By what is counted, a group is known by its last release: a later event of that is not looked at again.
        last_release = CASE WHEN EXISTS (
            SELECT FROM group_releases AS known
            WHERE known.group_id IN (SELECT id FROM family) AND known.release = groups.last_release
          ) THEN groups.last_release ELSE $4 END,
        severity = coalesce((SELECT max(CASE WHEN critical > 0 THEN 'critical' WHEN error > 0 THEN 'error'
          WHEN warn > 0 THEN 'warn' ELSE 'info' END::severity) FROM counted), severity)
      WHERE groups.id = $1`,
    [groupId, firstSeen, lastSeen, lastRelease],
  );
}

/** Copies the users of merged groups to their target; each of these keeps its own alone. */
export async function insertUsersOfMerged(
  database: Queryable,
  targetId: string,
  groupIds: readonly string[],
): Promise<void> {
  await database.query('DELETE FROM group_users WHERE group_id = ANY ($1::uuid[]) AND via IS NOT NULL', [
    groupIds,
  ]);
  await database.query(
    `INSERT INTO group_users (group_id, project_id, user_hash, via)
      SELECT $1, project_id, user_hash, group_id FROM group_users
      WHERE group_id = ANY ($2::uuid[]) AND via IS NULL ORDER BY user_hash, group_id
      ON CONFLICT DO NOTHING`,
    [targetId, groupIds],
  );
}

export async function deleteUsersOfMerged(
  database: Queryable,
  targetId: string,
  groupId: string,
): Promise<void> {
  await database.query('DELETE FROM group_users WHERE group_id = $1 AND via = $2', [targetId, groupId]);
  // A user of several merged groups is copied from one of them.
  await database.query(
    `INSERT INTO group_users (group_id, project_id, user_hash, via)
      SELECT $1, u.project_id, u.user_hash, u.group_id FROM group_users AS u JOIN groups AS g ON g.id = u.group_id
      WHERE g.merged_into = $1 AND g.id <> $2 AND u.via IS NULL ORDER BY u.user_hash, u.group_id
      ON CONFLICT DO NOTHING`,
    [targetId, groupId],
  );
}

/**
 * @param more number of events by which its count grows; a mute until so many have come waits for as many as before
 */
export async function addToGroup(database: Queryable, groupId: string, more: number): Promise<void> {
  await database.query(
    `UPDATE groups SET count = count + $2, mute_until_count = mute_until_count + $2, is_touched = true,
        users = least(${MAX_KNOWN_USERS} + 1, (
          SELECT count(*) FROM (SELECT FROM group_users WHERE group_id = $1 LIMIT ${MAX_KNOWN_USERS} + 1) AS known))
      WHERE id = $1`,
    [groupId, more],
  );
}

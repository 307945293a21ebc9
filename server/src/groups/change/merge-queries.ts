import { ADVISORY_LOCKS } from '../../database/advisory-locks.ts';
import type { Queryable } from '../../database/database.ts';
import { eventsOn } from '../../events/read/events-on.ts';
import type { GroupRow } from '../group-row.ts';
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

/** First and last seen of groups that have left another one, all together. */
export type SeenApart = Pick<GroupRow, 'firstSeen' | 'lastSeen'>;

/**
 * Computes the counts of a group with those merged into it, from what each counts alone: after a group was separated
 * from it, or before it is merged. A merged group knows its own first and last seen. Those of the group itself are what it had,
 * unless a group that left may have given them: then they come from its events, and where these are in PostgreSQL no more, from
 * the minute or hour that is counted. Its last release is known otherwise only if that is one of the separated groups.
 * @param apart groups that left it; null: none did
 */
export async function updateOwnCounts(
  database: Queryable,
  organizationId: string,
  groupId: string,
  apart: SeenApart | null,
): Promise<void> {
  const { firstSeen, lastSeen, lastRelease } = await eventsOn(database).findEndsOfGroup(
    organizationId,
    groupId,
  );
  await database.query(
    `WITH family AS (
        SELECT id, project_id, first_seen, last_seen FROM groups WHERE id = $1 OR merged_into = $1
      ), counted AS (
        SELECT group_id, minute AS begins, minute + interval '1 minute' AS ends, info, warn, error, critical
        FROM group_minutes WHERE group_id IN (SELECT id FROM family)
        UNION ALL
        SELECT group_id, hour, hour + interval '1 hour', info, warn, error, critical
        FROM group_hours WHERE group_id IN (SELECT id FROM family)
      ), own AS (
        SELECT min(begins) AS begins, min(ends) AS first_ends, max(ends) - interval '1 millisecond' AS ends
        FROM counted WHERE group_id = $1
      ), merged AS (
        SELECT min(first_seen) AS first_seen, max(last_seen) AS last_seen FROM family WHERE id <> $1
      ), named AS (
        SELECT known.release FROM family
        JOIN group_releases AS known ON known.project_id = family.project_id AND known.group_id = family.id
        LEFT JOIN releases AS r ON r.project_id = known.project_id AND r.version = known.release
        ORDER BY r.number DESC NULLS LAST, known.release LIMIT 1
      )
      UPDATE groups SET first_seen = least(merged.first_seen, CASE
          WHEN $5::timestamptz IS NULL OR groups.first_seen < $5 THEN groups.first_seen
          WHEN $2::timestamptz IS NULL OR own.first_ends <= $2
            THEN greatest(groups.first_seen, coalesce(own.begins, groups.first_seen))
          ELSE greatest(groups.first_seen, $2) END),
        last_seen = greatest(merged.last_seen, CASE
          WHEN $6::timestamptz IS NULL OR groups.last_seen > $6 THEN groups.last_seen
          ELSE least(groups.last_seen, coalesce($3, own.ends, groups.last_seen)) END),
        -- By what is counted, a group is known by its last release: a later event of that is not looked at again.
        last_release = CASE WHEN EXISTS (
            SELECT FROM group_releases AS known
            WHERE known.group_id IN (SELECT id FROM family) AND known.release = groups.last_release
          ) THEN groups.last_release ELSE coalesce($4, (SELECT release FROM named)) END,
        severity = coalesce((SELECT max(CASE WHEN critical > 0 THEN 'critical' WHEN error > 0 THEN 'error'
          WHEN warn > 0 THEN 'warn' ELSE 'info' END::severity) FROM counted), severity)
      FROM own, merged WHERE groups.id = $1`,
    [groupId, firstSeen, lastSeen, lastRelease, apart?.firstSeen ?? null, apart?.lastSeen ?? null],
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

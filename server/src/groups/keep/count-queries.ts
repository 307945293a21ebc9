import type { Queryable } from '../../database/database.ts';
import { MAX_KNOWN_USERS } from '../limits.ts';
import type { GroupRow } from '../schema.ts';

/*
 * What counts the events of a batch in groups, in the transaction that stores them. The rows of groups are locked in the
 * order of their ids before anything else of them is written, so that two workers never wait for each other.
 */

/** Of a group, by which it is found. */
const MAX_RELEASES = 1_000;

export interface SeenUser {
  groupId: string;
  projectId: string;
  /** The merged group that it is known from; null: the group's own. */
  via: string | null;
  hash: number;
}

/** @returns by how many users each group has more than before */
export async function upsertUsers(
  database: Queryable,
  users: readonly SeenUser[],
): Promise<{ groupId: string; users: number }[]> {
  const { rows } = await database.query<{ groupId: string; users: number }>({
    name: 'upsert-group-users',
    text: `WITH seen AS (
        INSERT INTO group_users AS u (group_id, project_id, user_hash, via)
        SELECT group_id, project_id, user_hash, via FROM (
          SELECT wanted.*, row_number() OVER (PARTITION BY group_id) AS place
          FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[]) AS wanted (group_id, project_id, user_hash, via)
          WHERE NOT EXISTS (
            SELECT FROM group_users AS known
            WHERE known.group_id = wanted.group_id AND known.user_hash = wanted.user_hash
              AND (known.via IS NULL OR wanted.via IS NOT NULL))
        ) AS missing WHERE place <= ${MAX_KNOWN_USERS} + 1 ORDER BY group_id, user_hash
        ON CONFLICT (group_id, user_hash) DO UPDATE SET via = NULL WHERE u.via IS NOT NULL AND excluded.via IS NULL
        RETURNING group_id, xmax = 0 AS is_new
      )
      SELECT group_id AS "groupId", count(*) AS users FROM seen WHERE is_new GROUP BY 1`,
    values: [
      users.map(({ groupId }) => groupId),
      users.map(({ projectId }) => projectId),
      users.map(({ hash }) => hash),
      users.map(({ via }) => via),
    ],
  });
  return rows;
}

export interface GroupMinute {
  groupId: string;
  projectId: string;
  /** Since 1970. */
  minute: number;
  info: number;
  warn: number;
  error: number;
  critical: number;
}

/** Writes what the events of a batch change of groups whose rows are locked, and adds to their minutes. */
export async function updateCounts(
  database: Queryable,
  groups: readonly GroupRow[],
  minutes: readonly GroupMinute[],
): Promise<void> {
  // One statement, for small batches: there a round trip costs as much as storing several events.
  await database.query({
    name: 'update-group-counts',
    text: `WITH updated AS (
        UPDATE groups SET count = changed.count, users = changed.users, severity = changed.severity,
          first_seen = changed.first_seen, last_seen = changed.last_seen, first_release = changed.first_release,
          last_release = changed.last_release
        FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::severity[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[])
          AS changed (id, count, users, severity, first_seen, last_seen, first_release, last_release)
        WHERE groups.id = changed.id
      )
      INSERT INTO group_minutes AS m (group_id, project_id, minute, info, warn, error, critical)
      SELECT group_id, project_id, to_timestamp(minute * 60), info, warn, error, critical
      FROM unnest($9::uuid[], $10::uuid[], $11::bigint[], $12::int[], $13::int[], $14::int[], $15::int[])
        AS more (group_id, project_id, minute, info, warn, error, critical)
      ORDER BY group_id, minute
      ON CONFLICT (group_id, minute) DO UPDATE SET info = m.info + excluded.info, warn = m.warn + excluded.warn,
        error = m.error + excluded.error, critical = m.critical + excluded.critical`,
    values: [
      groups.map(({ id }) => id),
      groups.map(({ count }) => count),
      groups.map(({ users }) => users),
      groups.map(({ severity }) => severity),
      groups.map(({ firstSeen }) => firstSeen),
      groups.map(({ lastSeen }) => lastSeen),
      groups.map(({ firstRelease }) => firstRelease),
      groups.map(({ lastRelease }) => lastRelease),
      minutes.map(({ groupId }) => groupId),
      minutes.map(({ projectId }) => projectId),
      minutes.map(({ minute }) => minute),
      minutes.map(({ info }) => info),
      minutes.map(({ warn }) => warn),
      minutes.map(({ error }) => error),
      minutes.map(({ critical }) => critical),
    ],
  });
}

/** The releases by which a group is found; the first 1,000 of it. */
export async function insertGroupReleases(
  database: Queryable,
  named: readonly { groupId: string; projectId: string; release: string }[],
): Promise<void> {
  await database.query({
    name: 'insert-group-releases',
    text: `INSERT INTO group_releases (project_id, release, group_id)
      SELECT DISTINCT project_id, release, group_id
      FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS named (project_id, release, group_id)
      WHERE NOT EXISTS (
          SELECT FROM group_releases AS known
          WHERE known.project_id = named.project_id AND known.release = named.release AND known.group_id = named.group_id)
        AND (SELECT count(*) FROM (
          SELECT FROM group_releases AS known WHERE known.group_id = named.group_id LIMIT ${MAX_RELEASES}
        ) AS some_releases) < ${MAX_RELEASES}
      ORDER BY project_id, release, group_id
      ON CONFLICT DO NOTHING`,
    values: [
      named.map(({ projectId }) => projectId),
      named.map(({ release }) => release),
      named.map(({ groupId }) => groupId),
    ],
  });
}

import { MORE_FINGERPRINT } from '../../events/group-queries.ts';
import { MAX_KNOWN_USERS } from '../limits.ts';

/*
 * The groups of a batch within the statement that stores it, as common table expressions over its `cells`. A batch is plain
 * where all that its events do to groups is to count in them: every fingerprint leads to a group that is there, is not
 * merged, has nothing merged into it, is neither resolved nor muted up to an end, and is known by the releases that the events
 * name; and where no deploy is among them. All others go through `keepGroups`, in the same transaction but with statements
 * of their own, which costs small batches as much as storing them. Whether a batch is plain is known before anything of it
 * is written.
 */

const HELD_COLUMNS =
  'id, state, merged_into, mute_until, mute_until_count, mute_rate_count, is_touched, groups.xmin AS version';

/**
 * The cells of a plain batch with the groups that their fingerprints lead to for good, and these groups, locked in the order
 * of their ids: before any other row that two workers both write, in either way to store a batch, so that they do not
 * deadlock. Each cell looks for its group by itself: PostgreSQL cannot know how many cells there are when it plans the
 * statement, and would join them with their groups by nested loops, every cell with every group.
 */
export const HELD_OF_CELLS = `
  placed AS MATERIALIZED (
    SELECT cells.*, own.group_id, seen.users AS known_users, seen.last_release FROM cells
    -- By the index, whatever size the table had when the statement was planned.
    LEFT JOIN LATERAL (
      SELECT group_id FROM group_fingerprints AS f
      WHERE f.project_id = cells.project_id AND f.fingerprint = cells.fingerprint AND f.expires_at IS NULL LIMIT 1
    ) AS own ON true
    LEFT JOIN LATERAL (
      SELECT users, last_release FROM groups WHERE groups.id = own.group_id LIMIT 1
    ) AS seen ON true
  ), held AS MATERIALIZED (
    SELECT ${HELD_COLUMNS} FROM groups
    WHERE id = ANY (ARRAY(SELECT DISTINCT group_id FROM placed WHERE group_id IS NOT NULL))
    ORDER BY id FOR NO KEY UPDATE
  )`;

/**
 * All groups that `keepGroups` may lock, in the same order: where fingerprints lead, for good or for a while, where those
 * that lead nowhere may come to lead, and what these groups were merged into. What is locked after that are groups that
 * others began meanwhile, whose ids are larger.
 */
export const HELD_FOR_KEEPING = `
  named AS MATERIALIZED (
    SELECT print.project_id, print.fingerprint, coalesce(own.group_id, other.group_id) AS group_id
    FROM (SELECT project_id, fingerprint, max(former) AS former FROM cells GROUP BY 1, 2) AS print
    LEFT JOIN LATERAL (
      SELECT group_id FROM group_fingerprints AS f
      WHERE f.project_id = print.project_id AND f.fingerprint = print.fingerprint LIMIT 1
    ) AS own ON true
    LEFT JOIN LATERAL (
      SELECT group_id FROM group_fingerprints AS f
      WHERE own.group_id IS NULL AND f.project_id = print.project_id
        AND f.fingerprint = ANY (ARRAY[print.former, '${MORE_FINGERPRINT}'])
    ) AS other ON true
  ), held AS MATERIALIZED (
    SELECT ${HELD_COLUMNS} FROM groups
    WHERE id = ANY (ARRAY(
      SELECT group_id FROM named WHERE group_id IS NOT NULL
      UNION SELECT merged_into FROM groups WHERE id IN (SELECT group_id FROM named) AND merged_into IS NOT NULL
    )) ORDER BY id FOR NO KEY UPDATE
  )`;

/** By one row of an index: `EXISTS` may be planned as a hash of the whole table. */
const isFound = (rows: string) => `coalesce((SELECT true FROM ${rows} LIMIT 1), false)`;

/**
 * Whether the batch is plain. Cells and groups are looked at apart, for the same reason. Groups are locked as they are now,
 * but what was merged into them, their users and their last release are read as of the statement's beginning: one that a
 * merge has changed since is not plain, and a group is known by a release that was its last one.
 */
export const IS_PLAIN = `
  SELECT (SELECT coalesce(bool_and(deploys = 0 AND group_id IS NOT NULL
      -- It must not store far more users than are counted. Distinct users are counted in large cells alone: that takes a sort.
      AND (known_users > ${MAX_KNOWN_USERS} OR count <= ${MAX_KNOWN_USERS}
        OR (SELECT count(DISTINCT user_hash) FROM unnest(users) AS user_hash) <= ${MAX_KNOWN_USERS})
      AND (release IS NULL OR release IS NOT DISTINCT FROM last_release
        OR ${isFound(`group_releases AS known
          WHERE known.project_id = placed.project_id AND known.release = placed.release AND known.group_id = placed.group_id`)})
    ), true) FROM placed)
    AND (SELECT count(*) FROM held) = (SELECT count(DISTINCT group_id) FROM placed)
    AND (SELECT coalesce(bool_and(merged_into IS NULL
      AND (state = 'open' OR state = 'muted' AND mute_until IS NULL AND mute_until_count IS NULL
        AND mute_rate_count IS NULL)
      AND (NOT is_touched
        OR ${isFound('groups AS seen WHERE seen.id = held.id AND seen.xmin = held.version')}
          AND NOT ${isFound('groups AS merged WHERE merged.merged_into = held.id')})
    ), true) FROM held) AS holds`;

const sumOf = (severity: string) => `coalesce(sum(count) FILTER (WHERE severity = '${severity}'), 0)`;

/**
 * Counts the events of a plain batch, as `counts`, in its groups, as `keepGroups` does. The groups are there and locked, so
 * what is inserted always meets them: that finds each by its id, where an update may be planned as a join that compares every
 * group with every other.
 */
export const COUNT_PLAIN_GROUPS = `
  met AS (
    INSERT INTO group_users (group_id, project_id, user_hash)
    SELECT DISTINCT group_id, project_id, user_hash FROM counts CROSS JOIN LATERAL unnest(counts.users) AS user_hash
    WHERE known_users <= ${MAX_KNOWN_USERS}
    ON CONFLICT DO NOTHING RETURNING group_id
  ), grouped AS (
    INSERT INTO groups AS g (id, count, users, severity, first_seen, last_seen, first_release, last_release, is_touched,
      organization_id, project_id, number, fingerprint, title, type)
    SELECT group_id, sum(count)::bigint, sum(users)::int, max(severity), to_timestamp(min(first_ms) / 1000.0),
      to_timestamp(max(last_ms) / 1000.0), (array_agg(release ORDER BY first_ms) FILTER (WHERE release IS NOT NULL))[1],
      (array_agg(release ORDER BY last_ms DESC) FILTER (WHERE release IS NOT NULL))[1],
      -- In this place: whether the event that was captured last names a release.
      coalesce(max(last_ms) FILTER (WHERE release IS NOT NULL) = max(last_ms), false),
      -- What every group has: never stored.
      group_id, group_id, 0, '', '', ''
    FROM (
      SELECT group_id, count, 0 AS users, severity, first_ms, last_ms, release FROM counts
      UNION ALL SELECT group_id, 0, 1, NULL, NULL, NULL, NULL FROM met
    ) AS more GROUP BY group_id ORDER BY group_id
    ON CONFLICT (id) DO UPDATE SET count = g.count + excluded.count,
      users = least(${MAX_KNOWN_USERS} + 1, g.users + excluded.users), severity = greatest(g.severity, excluded.severity),
      first_seen = least(g.first_seen, excluded.first_seen), last_seen = greatest(g.last_seen, excluded.last_seen),
      first_release = coalesce(g.first_release, excluded.first_release),
      -- Of the event that was captured last; where that names none, the one known before.
      last_release = CASE WHEN excluded.is_touched AND excluded.last_seen >= g.last_seen THEN excluded.last_release
        ELSE coalesce(g.last_release, excluded.last_release) END
  ), minuted AS (
    INSERT INTO group_minutes AS m (group_id, project_id, minute, info, warn, error, critical)
    SELECT group_id, project_id, to_timestamp(minute * 60), ${sumOf('info')}, ${sumOf('warn')}, ${sumOf('error')},
      ${sumOf('critical')}
    FROM counts GROUP BY 1, 2, minute
    ON CONFLICT (group_id, minute) DO UPDATE SET info = m.info + excluded.info, warn = m.warn + excluded.warn,
      error = m.error + excluded.error, critical = m.critical + excluded.critical
  )`;

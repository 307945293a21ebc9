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

/** Where each fingerprint leads for good. */
const NAMED = `
    SELECT print.project_id, print.fingerprint, own.group_id
    FROM (SELECT DISTINCT project_id, fingerprint FROM cells) AS print
    -- By the index, whatever size the table had when the statement was planned.
    LEFT JOIN LATERAL (
      SELECT group_id FROM group_fingerprints AS f
      WHERE f.project_id = print.project_id AND f.fingerprint = print.fingerprint AND f.expires_at IS NULL LIMIT 1
    ) AS own ON true`;

/** Also where they lead for a while, and where those that lead nowhere may come to lead: all that `keepGroups` may lock. */
const NAMED_ALL = `
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
    ) AS other ON true`;

/**
 * Where the fingerprints lead, with the groups locked in the order of their ids: before any other row that two workers
 * both write, in either way to store a batch, so that they do not deadlock. What is locked after that are groups that
 * others began meanwhile, whose ids are larger.
 * @param forKeeping whether the groups that `keepGroups` may lock are locked as well, and those that they were merged into
 */
export const heldGroups = (forKeeping: boolean) => `
  named AS MATERIALIZED (${forKeeping ? NAMED_ALL : NAMED}
  ), held AS MATERIALIZED (
    SELECT id, state, merged_into, users, last_release, mute_until, mute_until_count, mute_rate_count, is_touched,
      groups.xmin AS version
    FROM groups WHERE id = ANY (ARRAY(
      SELECT group_id FROM named WHERE group_id IS NOT NULL
      ${forKeeping ? 'UNION SELECT merged_into FROM groups WHERE id IN (SELECT group_id FROM named) AND merged_into IS NOT NULL' : ''}
    )) ORDER BY id FOR NO KEY UPDATE
  )`;

/** By one row of an index: `EXISTS` may be planned as a hash of the whole table. */
const isFound = (rows: string) => `coalesce((SELECT true FROM ${rows} LIMIT 1), false)`;

/**
 * How many pairs of cells and fingerprints are compared at most. PostgreSQL cannot know how many there are when it plans the
 * statement and joins them by nested loops, which 10,000 different messages would keep busy for many seconds.
 */
const MAX_COMPARED = 250_000;

/**
 * Whether the batch is plain, which none is that holds too many different fingerprints. Groups are locked as they are now, but what was merged into them is read as of the
 * statement's beginning: one that a merge has changed since is not plain.
 */
export const IS_PLAIN = `
  SELECT CASE WHEN (SELECT count(*) FROM cells) * (SELECT count(*) FROM named) > ${MAX_COMPARED} THEN false ELSE (
  SELECT coalesce(bool_and(cells.deploys = 0 AND held.id IS NOT NULL AND held.merged_into IS NULL
    AND (held.state = 'open' OR held.state = 'muted' AND held.mute_until IS NULL AND held.mute_until_count IS NULL
      AND held.mute_rate_count IS NULL)
    -- What would store far more users than are counted.
    AND (held.users > ${MAX_KNOWN_USERS} OR cells.count <= ${MAX_KNOWN_USERS})
    AND (NOT held.is_touched
      OR ${isFound('groups AS seen WHERE seen.id = held.id AND seen.xmin = held.version')}
        AND NOT ${isFound('groups AS merged WHERE merged.merged_into = held.id')})
    AND (cells.release IS NULL OR cells.release = held.last_release
      OR ${isFound(`group_releases AS known
        WHERE known.project_id = cells.project_id AND known.release = cells.release AND known.group_id = held.id`)})
  ), true)
  FROM cells LEFT JOIN named USING (project_id, fingerprint) LEFT JOIN held ON held.id = named.group_id) END AS holds`;

const sumOf = (severity: string) => `coalesce(sum(count) FILTER (WHERE severity = '${severity}'), 0)`;

/** Counts the events of a plain batch, as `counts`, in its groups, as `keepGroups` does. */
export const COUNT_PLAIN_GROUPS = `
  more AS MATERIALIZED (
    SELECT group_id AS id, sum(count)::bigint AS count, max(severity) AS severity,
      to_timestamp(min(first_ms) / 1000.0) AS first_seen, to_timestamp(max(last_ms) / 1000.0) AS last_seen,
      (array_agg(release ORDER BY first_ms) FILTER (WHERE release IS NOT NULL))[1] AS first_release,
      (array_agg(release ORDER BY last_ms DESC) FILTER (WHERE release IS NOT NULL))[1] AS last_release,
      to_timestamp(max(last_ms) FILTER (WHERE release IS NOT NULL) / 1000.0) AS last_released
    FROM counts GROUP BY 1
  ), met AS (
    INSERT INTO group_users (group_id, project_id, user_hash)
    SELECT DISTINCT group_id, project_id, user_hash
    FROM counts JOIN held ON held.id = group_id AND held.users <= ${MAX_KNOWN_USERS}
      CROSS JOIN LATERAL unnest(counts.users) AS user_hash
    ON CONFLICT DO NOTHING RETURNING group_id
  ), grouped AS (
    UPDATE groups SET count = groups.count + more.count,
      users = least(${MAX_KNOWN_USERS} + 1, groups.users + more.users),
      severity = greatest(groups.severity, more.severity),
      first_seen = least(groups.first_seen, more.first_seen), last_seen = greatest(groups.last_seen, more.last_seen),
      first_release = coalesce(groups.first_release, more.first_release),
      -- Of the event that was captured last; where that names none, the one known before.
      last_release = CASE WHEN more.last_released >= greatest(groups.last_seen, more.last_seen) THEN more.last_release
        ELSE coalesce(groups.last_release, more.last_release) END
    FROM (
      SELECT more.*, coalesce(new.users, 0) AS users FROM more
      LEFT JOIN (SELECT group_id, count(*) AS users FROM met GROUP BY 1) AS new ON new.group_id = more.id
    ) AS more
    -- By the index, as above.
    WHERE groups.id = ANY (ARRAY(SELECT id FROM more)) AND groups.id = more.id
  ), minuted AS (
    INSERT INTO group_minutes AS m (group_id, project_id, minute, info, warn, error, critical)
    SELECT group_id, project_id, to_timestamp(minute * 60), ${sumOf('info')}, ${sumOf('warn')}, ${sumOf('error')},
      ${sumOf('critical')}
    FROM counts GROUP BY 1, 2, minute
    ON CONFLICT (group_id, minute) DO UPDATE SET info = m.info + excluded.info, warn = m.warn + excluded.warn,
      error = m.error + excluded.error, critical = m.critical + excluded.critical
  )`;

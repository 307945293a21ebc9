import { MORE_FINGERPRINT } from '../../events/group-queries.ts';

/*
 * The groups of a batch, found and locked, as common table expressions over its `count_cells`. Nothing here is a join
 * of two lists: PostgreSQL cannot know the number of cells when it plans, and would compare every cell with every
 * group.
 */

/** By one row of an index: `EXISTS` may be planned as a hash of the whole table. */
export const isFound = (rows: string) => `coalesce((SELECT true FROM ${rows} LIMIT 1), false)`;

/** True, and acquires the locks first: a condition of parts that write other rows. */
export const GROUPS_ARE_LOCKED = '(SELECT count(*) >= 0 FROM locked_groups)';

/**
 * Each cell with the group of its fingerprint (`is_own`), else with the one that it may come to lead to: a group of
 * the former algorithm, or the catch-all group; and with the group into which that was merged, its head. The name
 * `users` is already used by the cell: those of the groups are `group_users` and `head_users`.
 */
const CELL_GROUPS = `cell_groups AS MATERIALIZED (
    SELECT count_cells.*, own.group_id IS NOT NULL AS is_own, coalesce(own.group_id, possible.group_id) AS group_id,
      found.users AS group_users, found.merged_into AS head_id, head.users AS head_users,
      found.is_touched AND ${isFound('groups AS merged WHERE merged.merged_into = found.id')} AS is_head
    FROM count_cells LEFT JOIN LATERAL (
      SELECT group_id FROM group_fingerprints AS f
      WHERE f.project_id = count_cells.project_id AND f.fingerprint = count_cells.fingerprint LIMIT 1
    ) AS own ON true LEFT JOIN LATERAL (
      SELECT group_id FROM group_fingerprints AS f
      WHERE own.group_id IS NULL AND f.project_id = count_cells.project_id AND f.expires_at IS NULL
        AND f.fingerprint = ANY (ARRAY[count_cells.former, '${MORE_FINGERPRINT}'])
      ORDER BY f.fingerprint = '${MORE_FINGERPRINT}' LIMIT 1
    ) AS possible ON true LEFT JOIN LATERAL (
      SELECT id, users, merged_into, is_touched FROM groups WHERE id = coalesce(own.group_id, possible.group_id) LIMIT 1
    ) AS found ON true LEFT JOIN LATERAL (
      SELECT users FROM groups WHERE id = found.merged_into LIMIT 1
    ) AS head ON true
  )`;

/**
 * Locks groups in the order of their ids. They are read in their current state, not as of the snapshot.
 * @param wait empty: before any other row is written, a lock is waited for; `NOWAIT`: the transaction has written
 * other rows, for which the one that holds a group may be waiting
 */
const lockedGroups = (wait: '' | 'NOWAIT') => `locked_groups AS MATERIALIZED (
    SELECT id, number, state, mute_until, mute_until_count, mute_rate_count, last_release, is_touched, is_watched,
      sampled_hour, sampled_unwatched, sampled_watched, groups.xmin AS version
    FROM groups WHERE id = ANY (ARRAY(
      SELECT group_id FROM cell_groups WHERE group_id IS NOT NULL
      UNION SELECT head_id FROM cell_groups WHERE head_id IS NOT NULL
    )) ORDER BY id FOR NO KEY UPDATE ${wait}
  )`;

/**
 * Groups whose merges and users are as `cell_groups` read them: no other transaction has merged or separated them
 * since.
 */
const STEADY_GROUPS = `steady_groups AS MATERIALIZED (
    SELECT id FROM locked_groups WHERE NOT is_touched
      OR ${isFound('groups AS seen WHERE seen.id = locked_groups.id AND seen.xmin = locked_groups.version')}
  )`;

/**
 * Groups whose state events may change, or that no watched environment had before: usually none, and a part of its own, so that no cell is compared with all
 * others.
 */
const CHANGEABLE_GROUPS = `changeable_groups AS MATERIALIZED (
    SELECT id, last_release FROM locked_groups WHERE state = 'resolved' OR NOT is_watched
      OR state = 'muted' AND (mute_until IS NOT NULL OR mute_until_count IS NOT NULL OR mute_rate_count IS NOT NULL)
  )`;

/**
 * The cells again; `is_known`: they count in their groups at once. All others are returned.
 * @param when `unless new`: cells without a group of their own are left for `finishGroups`; `always`: it has begun
 * all groups that may begin, and the rest belongs to the catch-all group
 */
export const findGroups = (when: 'unless new' | 'always') =>
  [
    CELL_GROUPS,
    lockedGroups(when === 'always' ? 'NOWAIT' : ''),
    STEADY_GROUPS,
    CHANGEABLE_GROUPS,
    `grouped_cells AS MATERIALIZED (
    SELECT cell_groups.*, ${when === 'always' ? '' : 'is_own AND '}coalesce(group_id IN (SELECT id FROM steady_groups)
      AND (head_id IS NULL OR head_id IN (SELECT id FROM steady_groups)), false) AS is_known
    FROM cell_groups
  )`,
  ].join(', ');

/**
 * Columns for `finishGroups`: the cells that are not counted, and when events of each release came last to groups
 * whose state they may change. Those of environments that are not watched change none.
 */
export const GROUP_OUTCOME = `(
    SELECT json_agg(cell)::text FROM (
      SELECT organization_id, project_id, fingerprint, former, release, severity, minute, count, first_ms, last_ms,
        received_ms, users, environment, is_watched
      FROM grouped_cells WHERE NOT is_known
    ) AS cell
  ) AS cells, (
    SELECT coalesce(json_agg(arrival), '[]') FROM (
      SELECT id AS "groupId", last_release AS "releaseBefore", release, max(last_ms) AS "lastMs",
        max(received_ms) AS "receivedMs"
      FROM grouped_cells JOIN changeable_groups ON id = coalesce(head_id, group_id)
      WHERE is_known AND is_watched GROUP BY 1, 2, 3
    ) AS arrival
  ) AS arrivals`;

import { MAX_KNOWN_USERS } from '../limits.ts';
import { hourContinues } from '../sampled-hour.ts';
import { isFound } from './known-groups.ts';

/*
 * Counts the known ones of `grouped_cells` in their groups and in the heads of these, as common table expressions:
 * the only place where events are counted in groups. The groups exist and are locked.
 *
 * A rule decides ties. Severity is the worst, first and last seen are the least and the greatest time of capture. The
 * last release is that of the event captured last that names one, unless the group has earlier stored events that
 * were captured later still; within one millisecond, events stored later come after those stored before, and within
 * one batch the greatest name in the order of its bytes. The first release is the first one that a batch names, by
 * the same order. Events of environments that are not watched name no release here: it would decide about the state.
 */

/** Maximum releases by which a group is found. */
const MAX_RELEASES = 1_000;

/**
 * A cell for each group that counts it; `via`: the merged group that leads to this one. `is_simple`: no group is
 * merged into the group, and the batch names no more users of it than are counted.
 */
const COUNTED_CELLS = `counted_cells AS MATERIALIZED (
    SELECT counted.*, project_id, severity, CASE WHEN is_watched THEN release END AS release,
      CASE WHEN via IS NULL THEN 1 << environment END AS environments, is_watched, count, first_ms, last_ms, users, NOT has_merged
      AND coalesce(sum(cardinality(users)) OVER (PARTITION BY counted.id), 0) <= ${MAX_KNOWN_USERS} AS is_simple
    FROM grouped_cells CROSS JOIN LATERAL (
      VALUES (group_id, NULL::uuid, group_users, is_head), (head_id, group_id, head_users, true)
    ) AS counted (id, via, known_users, has_merged)
    WHERE is_known AND counted.id IS NOT NULL
  )`;

const namedUsers = (condition: string) => `counted_cells CROSS JOIN LATERAL unnest(users) AS user_hash
    WHERE known_users <= ${MAX_KNOWN_USERS} AND ${condition}`;

const NEW_USERS = `new_users AS (
    INSERT INTO group_users (group_id, project_id, user_hash)
    SELECT DISTINCT id, project_id, user_hash FROM ${namedUsers('is_simple')}
    ON CONFLICT DO NOTHING RETURNING group_id
  )`;

/**
 * The same for the other groups: no more users than a group needs to exceed the counted maximum, and one that a head
 * knows from a merged group alone becomes its own. This sorts the users, and locks each known one.
 */
const OTHER_NEW_USERS = `other_new_users AS (
    INSERT INTO group_users AS u (group_id, project_id, user_hash, via)
    SELECT id, project_id, user_hash, via FROM (
      SELECT id, project_id, user_hash, CASE WHEN count(*) = count(via) THEN min(via::text)::uuid END AS via,
        row_number() OVER (PARTITION BY id) AS place
      FROM ${namedUsers('NOT is_simple')} GROUP BY id, project_id, user_hash
    ) AS named WHERE place <= ${MAX_KNOWN_USERS} + 1
    ON CONFLICT (group_id, user_hash) DO UPDATE SET via = NULL WHERE u.via IS NOT NULL AND excluded.via IS NULL
    RETURNING group_id, xmax = 0 AS is_new
  )`;

const sampledSum = (
  column: string,
) => `${column} = CASE WHEN ${hourContinues('g.sampled_hour', 'excluded.sampled_hour')}
        THEN g.${column} + excluded.${column} ELSE coalesce(excluded.${column}, g.${column}) END`;

/** Own events of the hour, from which samples are decided. */
const SAMPLED_COUNTS = `,
      ${sampledSum('sampled_unwatched')},
      ${sampledSum('sampled_watched')},
      sampled_hour = CASE WHEN ${hourContinues('g.sampled_hour', 'excluded.sampled_hour')}
        THEN g.sampled_hour ELSE coalesce(excluded.sampled_hour, g.sampled_hour) END`;

const ownOfHour = (hour: string) => `CASE WHEN bool_or(is_own) THEN ${hour}::timestamptz END,
      sum(CASE WHEN is_watched THEN 0 ELSE count END) FILTER (WHERE is_own)::bigint,
      sum(CASE WHEN is_watched THEN count ELSE 0 END) FILTER (WHERE is_own)::bigint,`;

/**
 * Always conflicts with the group: the conflict finds each by its id, while an update may be planned as a join of all
 * with all. Values that every group has, and columns that carry something else, are never stored.
 */
const groupCounts = (hour: string | null) => `group_counts AS (
    INSERT INTO groups AS g (id, count, users, severity, first_seen, last_seen, first_release, last_release,
      environments,
      -- Carries when the last event that names a release was captured.
      regressed_at,${hour ? ' sampled_hour, sampled_unwatched, sampled_watched,' : ''}
      organization_id, project_id, number, fingerprint, title, type)
    SELECT id, sum(count)::bigint, sum(new_users)::int, max(severity), to_timestamp(min(first_ms) / 1000.0),
      to_timestamp(max(last_ms) / 1000.0),
      (array_agg(release ORDER BY first_ms, release COLLATE "C") FILTER (WHERE release IS NOT NULL))[1],
      (array_agg(release ORDER BY last_ms DESC, release COLLATE "C" DESC) FILTER (WHERE release IS NOT NULL))[1],
      coalesce(bit_or(environments), 0), to_timestamp(max(last_ms) FILTER (WHERE release IS NOT NULL) / 1000.0),
      ${hour ? ownOfHour(hour) : ''}
      id, id, 0, '', '', ''
    FROM (
      SELECT id, count, 0 AS new_users, severity, first_ms, last_ms, release, environments, via IS NULL AS is_own,
        is_watched
      FROM counted_cells
      UNION ALL SELECT group_id, 0, 1, NULL, NULL, NULL, NULL, NULL, false, false FROM new_users
      UNION ALL SELECT group_id, 0, 1, NULL, NULL, NULL, NULL, NULL, false, false FROM other_new_users WHERE is_new
    ) AS added GROUP BY id ORDER BY id
    ON CONFLICT (id) DO UPDATE SET count = g.count + excluded.count,
      users = least(${MAX_KNOWN_USERS} + 1, g.users + excluded.users),
      severity = greatest(g.severity, excluded.severity),
      first_seen = least(g.first_seen, excluded.first_seen), last_seen = greatest(g.last_seen, excluded.last_seen),
      environments = g.environments | excluded.environments,
      first_release = coalesce(g.first_release, excluded.first_release),
      last_release = CASE WHEN excluded.regressed_at >= g.last_seen OR g.last_release IS NULL
        THEN excluded.last_release ELSE g.last_release END${hour ? SAMPLED_COUNTS : ''}
  )`;

const sumOf = (severity: string) => `coalesce(sum(count) FILTER (WHERE severity = '${severity}'), 0)`;

/** Counts by the minute of capture; a head counts its own events alone. */
const GROUP_MINUTES = `minutes_of_groups AS (
    INSERT INTO group_minutes AS m (group_id, project_id, minute, info, warn, error, critical)
    SELECT group_id, project_id, to_timestamp(minute * 60), ${sumOf('info')}, ${sumOf('warn')}, ${sumOf('error')},
      ${sumOf('critical')}
    FROM grouped_cells WHERE is_known GROUP BY group_id, project_id, minute ORDER BY group_id, minute
    ON CONFLICT (group_id, minute) DO UPDATE SET info = m.info + excluded.info, warn = m.warn + excluded.warn,
      error = m.error + excluded.error, critical = m.critical + excluded.critical
  )`;

const GROUP_RELEASES = `releases_of_groups AS (
    INSERT INTO group_releases (project_id, release, group_id)
    SELECT DISTINCT project_id, release, group_id FROM grouped_cells AS cell
    WHERE is_known AND release IS NOT NULL
      AND NOT ${isFound(`group_releases AS known
        WHERE known.project_id = cell.project_id AND known.release = cell.release AND known.group_id = cell.group_id`)}
      AND (SELECT count(*) FROM (
        SELECT FROM group_releases AS known WHERE known.group_id = cell.group_id LIMIT ${MAX_RELEASES}
      ) AS some_releases) < ${MAX_RELEASES}
    ORDER BY project_id, release, group_id
    ON CONFLICT DO NOTHING
  )`;

/** @param hour parameter of the hour of storing where projects keep samples; null: none does */
export const countKnownGroups = (hour: `$${number}` | null) =>
  [COUNTED_CELLS, NEW_USERS, OTHER_NEW_USERS, groupCounts(hour), GROUP_MINUTES, GROUP_RELEASES].join(', ');

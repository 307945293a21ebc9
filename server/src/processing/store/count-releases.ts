import { GROUPS_ARE_LOCKED } from '../../groups/keep/known-groups.ts';
import { shortHash } from '../../releases/event-columns.ts';

/* Writes `releases` and `deploys`. */

/** Events are read for deploys only where there are any. */
export const ANNOUNCED_DEPLOYS = `announced_deploys AS MATERIALIZED (
    SELECT id, "projectId" AS project_id, deploy ->> 'release' AS release,
      coalesce(environment, (enum_range(NULL::environment))[environment_number]::text) AS environment,
      (deploy ->> 'at')::timestamptz AS at, "receivedAt"
    FROM parsed_events WHERE deploy IS NOT NULL AND EXISTS (SELECT FROM parsed_cells WHERE NOT is_event)
  )`;

/**
 * Counts of watched environments alone: which release is the newest decides about resolutions. Users are none, one, or
 * two for more: without a sort, which counting different ones takes.
 */
export const RELEASE_COUNTS = `release_counts AS (
    INSERT INTO releases AS r (project_id, version, first_seen, last_seen, deployed_at, events, errors, users, first_user)
    SELECT project_id, version, to_timestamp(min(first_ms) / 1000.0), to_timestamp(max(last_ms) / 1000.0),
      min(deployed_at), sum(count), coalesce(sum(count) FILTER (WHERE severity >= 'error'), 0),
      coalesce(1 + (min(least_user) < max(greatest_user))::int, 0), ${shortHash('min(least_user)')}
    FROM (
      SELECT project_id, release AS version, severity, first_ms, last_ms, NULL::timestamptz AS deployed_at, count,
        least_user, greatest_user
      FROM grouped_cells WHERE release IS NOT NULL AND is_watched
      UNION ALL SELECT project_id, release, NULL, NULL, NULL, at, 0, NULL, NULL FROM announced_deploys
    ) AS named GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (project_id, version) DO UPDATE SET first_seen = least(r.first_seen, excluded.first_seen),
      last_seen = greatest(r.last_seen, excluded.last_seen), deployed_at = least(r.deployed_at, excluded.deployed_at),
      events = r.events + excluded.events, errors = r.errors + excluded.errors,
      users = CASE WHEN r.users = 1 AND excluded.users = 1 AND r.first_user <> excluded.first_user THEN 2
        ELSE greatest(r.users, excluded.users) END,
      first_user = coalesce(r.first_user, excluded.first_user)
  )`;

export const STORED_DEPLOYS = `stored_deploys AS (
    INSERT INTO deploys (id, project_id, release, environment, deployed_at, created_at)
    SELECT DISTINCT ON (project_id, release, environment) id, project_id, release, environment, at, "receivedAt"
    FROM announced_deploys WHERE ${GROUPS_ARE_LOCKED} ORDER BY project_id, release, environment, id
    ON CONFLICT (project_id, release, environment) DO NOTHING
  )`;

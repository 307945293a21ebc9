import type { Queryable } from '../../database/database.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { RELEASE, USER_NAME } from '../../releases/event-columns.ts';
import { hasKey } from '../event-keys.ts';
import { MAX_LISTED_RELEASES } from '../limits.ts';
import type { GroupNames } from '../read-types.ts';

/** Newest events that are read of each group, so that the cost does not grow with the incident. */
const READ_EVENTS = 1_000;

/** Releases and users that the newest events of groups in a time name, each group with those merged into it. */
export async function listNamesOfGroups(
  database: Queryable,
  organizationId: string,
  groupIds: readonly string[],
  { fromMs, toMs }: { fromMs: number; toMs: number | null },
): Promise<GroupNames[]> {
  const { rows } = await database.query<GroupNames>(
    `SELECT g.id AS "groupId", named.events AS "readEvents", named.events < ${READ_EVENTS} AS "isComplete", named.users,
        counted.releases, counted.others AS "otherReleases"
      FROM groups AS g
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS events, count(DISTINCT user_name)::int AS users, array_agg(release) AS releases FROM (
          SELECT ${RELEASE} AS release, ${USER_NAME} AS user_name FROM (
            SELECT DISTINCT project_id, fingerprint FROM group_fingerprints
            WHERE group_id = ANY (ARRAY(SELECT g.id UNION ALL SELECT id FROM groups WHERE merged_into = g.id))
          ) AS own CROSS JOIN LATERAL (
            SELECT id, release, correlation FROM events
            WHERE ${hasKey('fingerprint', '$1', 'own.fingerprint')} AND events.project_id = own.project_id
              AND id >= $3 AND ($4::uuid IS NULL OR id < $4)
            ORDER BY id DESC LIMIT ${READ_EVENTS}
          ) AS event ORDER BY event.id DESC LIMIT ${READ_EVENTS}
        ) AS newest
      ) AS named
      CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(jsonb_build_object('version', version, 'count', count) ORDER BY place)
            FILTER (WHERE place <= ${MAX_LISTED_RELEASES}), '[]') AS releases,
          greatest(count(*) - ${MAX_LISTED_RELEASES}, 0)::int AS others
        FROM (
          SELECT version, count(*), row_number() OVER (ORDER BY count(*) DESC, version) AS place
          FROM unnest(named.releases) AS release (version) GROUP BY 1
        ) AS ranked
      ) AS counted
      WHERE g.organization_id = $1 AND g.id = ANY ($2::uuid[])`,
    [organizationId, groupIds, uuidLowerBound(fromMs), toMs === null ? null : uuidLowerBound(toMs)],
  );
  return rows;
}

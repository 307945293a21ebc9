import type { Queryable } from '../../database/database.ts';
import { hasKey } from '../../events/event-keys.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { RELEASE, USER_NAME } from '../../releases/event-columns.ts';

/** Newest events that are read of each group, so that the cost does not grow with the incident. */
export const READ_EVENTS = 1_000;
const MAX_RELEASES = 5;

export interface IncidentGroupDetail {
  groupId: string;
  readEvents: number;
  users: number;
  releases: { version: string | null; count: number }[];
  otherReleases: number;
  /** Releases of all time, the newest first. */
  allReleases: string[];
  otherAllReleases: number;
  regression: {
    at: string;
    resolvedAt: string;
    resolvedIn: string | null;
    userId: string | null;
    userName: string | null;
  } | null;
}

/**
 * Releases and users that the newest events of groups in a time name, releases with how many of the events each has.
 * For a group that regressed since that time began, also how it had been resolved.
 */
export async function listIncidentGroupDetails(
  database: Queryable,
  organizationId: string,
  groupIds: readonly string[],
  { fromMs, toMs }: { fromMs: number; toMs: number | null },
): Promise<Map<string, IncidentGroupDetail>> {
  if (groupIds.length === 0) return new Map();
  const { rows } = await database.query<IncidentGroupDetail>(
    `SELECT g.id AS "groupId", named.events AS "readEvents", named.users, counted.releases,
        counted.others AS "otherReleases", ever.releases AS "allReleases", ever.others AS "otherAllReleases",
        regression.entry AS regression
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
            FILTER (WHERE place <= ${MAX_RELEASES}), '[]') AS releases,
          greatest(count(*) - ${MAX_RELEASES}, 0)::int AS others
        FROM (
          SELECT version, count(*), row_number() OVER (ORDER BY count(*) DESC, version) AS place
          FROM unnest(named.releases) AS release (version) GROUP BY 1
        ) AS ranked
      ) AS counted
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(version ORDER BY place) FILTER (WHERE place <= ${MAX_RELEASES}), '{}') AS releases,
          greatest(count(*) - ${MAX_RELEASES}, 0)::int AS others
        FROM (
          SELECT r.version, row_number() OVER (ORDER BY r.number DESC) AS place FROM (
            SELECT DISTINCT project_id, release FROM group_releases
            WHERE group_id = ANY (ARRAY(SELECT g.id UNION ALL SELECT id FROM groups WHERE merged_into = g.id))
          ) AS named JOIN releases AS r ON r.project_id = named.project_id AND r.version = named.release
        ) AS ranked
      ) AS ever
      LEFT JOIN LATERAL (
        SELECT jsonb_build_object('at', back.created_at, 'resolvedIn', back.before ->> 'resolvedIn',
          'resolvedAt', done.created_at, 'userId', done.user_id, 'userName', u.name) AS entry
        FROM group_history AS back
        CROSS JOIN LATERAL (
          SELECT created_at, user_id FROM group_history
          WHERE group_id = g.id AND id < back.id AND after ->> 'state' = 'resolved' AND before ->> 'state' <> 'resolved'
          ORDER BY id DESC LIMIT 1
        ) AS done LEFT JOIN users AS u ON u.id = done.user_id
        WHERE back.group_id = g.id AND back.user_id IS NULL AND back.before ->> 'state' = 'resolved'
          AND back.created_at >= $5 AND ($6::timestamptz IS NULL OR back.created_at <= $6)
        ORDER BY back.id DESC LIMIT 1
      ) AS regression ON true
      WHERE g.organization_id = $1 AND g.id = ANY ($2::uuid[])`,
    [
      organizationId,
      groupIds,
      uuidLowerBound(fromMs),
      toMs === null ? null : uuidLowerBound(toMs),
      new Date(fromMs),
      toMs === null ? null : new Date(toMs),
    ],
  );
  return new Map(rows.map((row) => [row.groupId, row]));
}

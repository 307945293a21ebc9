import { MAX_LISTED_RELEASES } from '../../events/limits.ts';
import type { GroupNames } from '../../events/read-types.ts';
import type { EventReads } from '../../events/reader.ts';

/** Past of a group: its releases, and its regression since a time. */
interface GroupPast {
  groupId: string;
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

export type IncidentGroupDetail = GroupNames & GroupPast;

/**
 * Releases and users that the newest events of groups in a time name, releases with how many of the events each has.
 * For a group that regressed since that time began, also how it had been resolved.
 */
export async function listIncidentGroupDetails(
  events: EventReads,
  organizationId: string,
  groupIds: readonly string[],
  { fromMs, toMs }: { fromMs: number; toMs: number | null },
): Promise<Map<string, IncidentGroupDetail>> {
  if (groupIds.length === 0) return new Map();
  const { rows } = await events.database.query<GroupPast>(
    `SELECT g.id AS "groupId", ever.releases AS "allReleases", ever.others AS "otherAllReleases", regression.entry AS regression
      FROM groups AS g
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(version ORDER BY place) FILTER (WHERE place <= ${MAX_LISTED_RELEASES}), '{}') AS releases,
          greatest(count(*) - ${MAX_LISTED_RELEASES}, 0)::int AS others
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
          AND back.created_at >= $3 AND ($4::timestamptz IS NULL OR back.created_at <= $4)
        ORDER BY back.id DESC LIMIT 1
      ) AS regression ON true
      WHERE g.organization_id = $1 AND g.id = ANY ($2::uuid[])`,
    [organizationId, groupIds, new Date(fromMs), toMs === null ? null : new Date(toMs)],
  );
  const past = new Map(rows.map((row) => [row.groupId, row]));
  const names = await events.listNamesOfGroups(organizationId, groupIds, { fromMs, toMs });
  return new Map(
    names.flatMap((name) => {
      const known = past.get(name.groupId);
      return known ? [[name.groupId, { ...name, ...known }]] : [];
    }),
  );
}

import type { Queryable } from '../../database/database.ts';
import { hasKey } from '../event-keys.ts';
import type { GroupEnds } from '../read-types.ts';

/** The time of an event, by its id. */
const CAPTURED_AT = `to_timestamp((('x0000' || left(id::text, 8) || substr(id::text, 10, 4))::bit(64)::bigint) / 1000.0)`;

/** Finds the ends of the events of a group with those merged into it. */
export async function findEndsOfGroup(
  database: Queryable,
  organizationId: string,
  groupId: string,
): Promise<GroupEnds> {
  const ofFingerprint = `${hasKey('fingerprint', '$1', 'f.fingerprint')} AND project_id = g.project_id`;
  const { rows } = await database.query<GroupEnds>(
    `WITH family AS (
        SELECT id, project_id FROM groups WHERE organization_id = $1 AND (id = $2 OR merged_into = $2)
      )
        SELECT min(oldest.at) AS "firstSeen", max(newest.at) AS "lastSeen",
          (array_agg(named.release ORDER BY named.id DESC) FILTER (WHERE named.release IS NOT NULL))[1] AS "lastRelease"
        FROM group_fingerprints AS f JOIN family AS g ON g.id = f.group_id
        CROSS JOIN LATERAL (
          SELECT ${CAPTURED_AT} AS at FROM events
          WHERE ${ofFingerprint}
          ORDER BY id LIMIT 1
        ) AS oldest CROSS JOIN LATERAL (
          SELECT ${CAPTURED_AT} AS at FROM events
          WHERE ${ofFingerprint}
          ORDER BY id DESC LIMIT 1
        ) AS newest LEFT JOIN LATERAL (
          SELECT id, nullif(btrim(release), '') AS release FROM (
            SELECT id, release FROM events
            WHERE ${ofFingerprint}
            ORDER BY id DESC LIMIT 1000
          ) AS newest WHERE btrim(release) <> '' ORDER BY id DESC LIMIT 1
        ) AS named ON true`,
    [organizationId, groupId],
  );
  return rows[0] ?? { firstSeen: null, lastSeen: null, lastRelease: null };
}

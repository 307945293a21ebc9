import type { Queryable } from '../../database/database.ts';
import { isEvidence } from '../../environments/numbers.ts';
import { uuidLowerBound, uuidTime } from '../../platform/ids.ts';
import { minuteOf } from '../../platform/time.ts';
import { USER_NAME } from '../../releases/event-columns.ts';
import { hasOneOfKeys } from '../event-keys.ts';
import { findGroupFingerprints, MORE_FINGERPRINT } from '../group-queries.ts';
import type { IncidentEvents, LeadFacts } from '../read-types.ts';
import { isOfSeries } from '../series-condition.ts';
import { all, bind } from '../where.ts';

/** Maximum newest events that are read. */
const MAX_READ = 20_000;

/** Facts that the newest of the counted events name. */
export async function findLeadFacts(
  database: Queryable,
  organizationId: string,
  { projectId, groupId, series, fromMs, untilMs }: IncidentEvents,
): Promise<LeadFacts> {
  const values: unknown[] = [organizationId, projectId, uuidLowerBound(fromMs)];
  const where = ['project_id = $2', 'id >= $3'];
  if (untilMs !== null) where.push(`id < ${bind(values, uuidLowerBound(untilMs + 1))}`);
  const group = groupId === null ? null : await findGroupFingerprints(database, organizationId, groupId);
  if (group?.fingerprints)
    where.push(
      hasOneOfKeys(
        'fingerprint',
        '$1',
        group.fingerprints.map((fingerprint) => bind(values, fingerprint)),
      ),
    );
  else where.push('organization_id = $1');
  const found = group
    ? 'true'
    : `${isOfSeries(bind(values, JSON.stringify([series])), 'events')} AND ${isEvidence('$2')}`;
  const { rows } = await database.query<LeadFacts>(
    `WITH read AS MATERIALIZED (
        SELECT id, fingerprint, ${USER_NAME} AS user_name, left(message, 1000) AS message, weight, ${found} AS found
        FROM events WHERE ${all(where)} ORDER BY id DESC LIMIT ${MAX_READ + 1}
      ), grouped AS (
        SELECT coalesce(g.merged_into, g.id) AS group_id, user_name
        FROM read
        LEFT JOIN group_fingerprints AS own ON own.project_id = $2 AND own.fingerprint = read.fingerprint
        LEFT JOIN group_fingerprints AS more ON more.project_id = $2 AND more.fingerprint = '${MORE_FINGERPRINT}'
        LEFT JOIN groups AS g ON g.id = coalesce(own.group_id, more.group_id)
        WHERE found AND user_name IS NOT NULL
      )
      SELECT whole.*, newest.id AS "newestId", newest.message AS "newestMessage"
      FROM (
        SELECT (SELECT count(DISTINCT user_name)::int FROM grouped) AS users,
          (SELECT coalesce(jsonb_object_agg(group_id, users), '{}') FROM (
            SELECT group_id, count(DISTINCT user_name)::int AS users FROM grouped WHERE group_id IS NOT NULL GROUP BY 1
          ) AS counted) AS "groupUsers",
          (SELECT count(*) <= ${MAX_READ} AND count(weight) FILTER (WHERE found) = 0 FROM read) AS "isComplete"
      ) AS whole LEFT JOIN (SELECT id, message FROM read WHERE found ORDER BY id DESC LIMIT 1) AS newest ON true`,
    values,
  );
  return rows[0] ?? { users: 0, groupUsers: {}, isComplete: true, newestId: null, newestMessage: null };
}

/**
 * The minute of the first event of a project that is left: what came before it, retention has removed. Counts may go further
 * back.
 */
export async function findFirstMinute(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<Date | null> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT first.id FROM projects AS p CROSS JOIN LATERAL (
        SELECT id FROM events WHERE project_id = p.id ORDER BY id LIMIT 1
      ) AS first WHERE p.organization_id = $1 AND p.id = $2`,
    [organizationId, projectId],
  );
  return rows[0] ? new Date(minuteOf(uuidTime(rows[0].id))) : null;
}

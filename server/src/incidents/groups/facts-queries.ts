import type { Queryable } from '../../database/database.ts';
import { isEvidence } from '../../environments/numbers.ts';
import { hasOneOfKeys } from '../../events/event-keys.ts';
import { findGroupFingerprints, MORE_FINGERPRINT } from '../../events/group-queries.ts';
import { isOfSeries } from '../../events/series-condition.ts';
import { all, bind } from '../../events/where.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { uuidLowerBound, uuidTime } from '../../platform/ids.ts';
import { hourOf, minuteOf } from '../../platform/time.ts';
import { USER_NAME } from '../../releases/event-columns.ts';
import type { LeadEvents } from '../lead.ts';

/** Maximum newest events that are read. */
const MAX_READ = 20_000;

export interface LeadFacts {
  /** Number of different users among the events that were read. */
  users: number;
  /** The same of the events of each group, by its UUID. */
  groupUsers: Record<string, number>;
  /** False: there are earlier events, or some that were not kept. */
  isComplete: boolean;
  newestId: string | null;
  newestMessage: string | null;
}

/** Facts that the newest of the counted events name. */
export async function findLeadFacts(
  database: Queryable,
  organizationId: string,
  { projectId, groupId, series, fromMs, untilMs }: LeadEvents,
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

/** Counts the different users that groups know: exact where none has more of them than are known. */
export async function countKnownUsers(
  database: Queryable,
  organizationId: string,
  groupIds: readonly string[],
): Promise<number> {
  const { rows } = await database.query<{ users: number }>(
    `SELECT count(DISTINCT user_hash)::int AS users FROM group_users AS u JOIN groups AS g ON g.id = u.group_id
      WHERE g.organization_id = $1 AND g.id = ANY ($2::uuid[])`,
    [organizationId, groupIds],
  );
  return rows[0]?.users ?? 0;
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

/** Finds the end of the last hour in the range of a lead whose events the project keeps for less time, and that are removed. */
export async function findExpiredUntil(
  database: Queryable,
  organizationId: string,
  { projectId, series: { kind, type, severity, source }, fromMs, untilMs }: LeadEvents,
): Promise<Date | null> {
  const { rows } = await database.query<{ hour: Date }>(
    `SELECT removed.hour FROM unnest(enum_range(NULL::severity)) AS severity CROSS JOIN LATERAL (
        SELECT hour FROM event_hours
        WHERE scope = 'project' AND project_id = $2 AND event_hours.severity = severity.severity AND is_expired
          AND hour >= $3 AND hour <= $4 AND EXISTS (
            SELECT FROM event_hours AS counted
            WHERE counted.scope = 'project_series' AND counted.organization_id = $1 AND counted.project_id = $2
              AND counted.hour = event_hours.hour AND counted.severity = severity.severity
              AND ($5::text IS NULL OR counted.type = $5) AND ($6::text IS NULL OR counted.source = $6)
              -- A failed payment is an error, whatever severity it is stored with.
              AND (counted.type = 'payment' OR ($7::severity IS NULL OR counted.severity = $7)
                AND ($8 NOT IN ('errors', 'failed_payments') OR counted.severity >= 'error')))
        ORDER BY hour DESC LIMIT 1
      ) AS removed ORDER BY removed.hour DESC LIMIT 1`,
    [
      organizationId,
      projectId,
      new Date(hourOf(fromMs)),
      untilMs === null ? 'infinity' : new Date(untilMs),
      type,
      source,
      severity,
      kind,
    ],
  );
  return rows[0] ? new Date(rows[0].hour.getTime() + HOUR_MS) : null;
}

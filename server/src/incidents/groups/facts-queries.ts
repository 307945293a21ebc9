import type { Queryable } from '../../database/database.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { hourOf } from '../../platform/time.ts';
import type { LeadEvents } from '../lead.ts';

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

import type { Queryable } from '../../database/database.ts';
import { stateAt } from '../../groups/conditions.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { latestHold } from '../../platform/stored-times.ts';
import { WINDOW_MS } from './bound-storm.ts';
import { MAX_DEFERRAL_MS } from './quiet-period.ts';
import { MAX_DELAYS_MS } from './retries.ts';
import type { Deferral } from './situation.ts';

export interface BudgetUse {
  routeId: string;
  used: number;
  lastDigestAt: Date | null;
}

/**
 * Counts the messages of routes that a target was sent since a time, whether they arrived or not: single messages,
 * and storm digests that include the route. The last digest of messages beyond the budget is searched in two days.
 */
export async function listBudgetUses(
  database: Queryable,
  targetId: string,
  { routeIds, since, now }: { routeIds: readonly string[]; since: Date; now: Date },
): Promise<BudgetUse[]> {
  const { rows } = await database.query<BudgetUse>(
    `SELECT r.id AS "routeId",
        (SELECT count(*) FROM deliveries d WHERE d.target_id = $1 AND d.route_id = r.id AND d.last_attempt_at > $3
          AND d.last_attempt_at <= $5 AND d.subject_kind <> 'digest' AND NOT d.is_edit)
        + (SELECT count(*) FROM deliveries g WHERE g.target_id = $1 AND g.last_attempt_at > $3
          AND g.last_attempt_at <= $5 AND g.subject_kind = 'digest' AND g.change = 'digest' AND NOT g.is_edit AND EXISTS (
            SELECT FROM deliveries said WHERE said.collapsed_into = g.id AND said.route_id = r.id)) AS used,
        (SELECT max(created_at) FROM deliveries o WHERE o.target_id = $1 AND o.id >= $4 AND o.route_id = r.id
          AND o.subject_kind = 'digest' AND o.change = 'over_budget' AND o.created_at <= $5) AS "lastDigestAt"
      FROM unnest($2::uuid[]) AS r (id)`,
    [
      targetId,
      routeIds,
      since,
      uuidLowerBound(now.getTime() - 2 * DAY_MS),
      new Date(latestHold(now.getTime(), 0)),
    ],
  );
  return rows;
}

/**
 * The resolved ones of these incidents and groups; a group that a person has muted counts as resolved. @param at
 * confirmed time
 */
export async function listResolvedSubjects(
  database: Queryable,
  organizationId: string,
  subjectIds: readonly string[],
  at: Date,
): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM incidents WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND status = 'resolved'
      UNION ALL
      SELECT id FROM groups AS g WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND ${stateAt('$3')} <> 'open'`,
    [organizationId, subjectIds, at],
  );
  return rows.map(({ id }) => id);
}

export async function updateDeferred(
  database: Queryable,
  ids: readonly string[],
  { by, reason, until }: { by: Deferral; reason: string; until: Date },
): Promise<void> {
  await database.query(
    `UPDATE deliveries SET due_at = $2, deferred_by = $3, deferred_reason = $4
      WHERE id = ANY ($1::uuid[]) AND state = 'pending'`,
    [ids, until, by, reason],
  );
}

/** Makes deliveries due that wait for longer than their own rule allows: a clock that was ahead has set the time. */
export async function updateImpossibleDue(database: Queryable, nowMs: number): Promise<void> {
  const latest = (maxMs: number) => new Date(latestHold(nowMs, maxMs));
  await database.query({
    name: 'update-impossible-due',
    text: `UPDATE deliveries SET due_at = $1 WHERE state = 'pending' AND due_at > $2 AND (
        due_at > CASE WHEN deferred_by IS NOT NULL THEN $4 WHEN attempts = 0 THEN $3::timestamptz
          ELSE ($5::timestamptz[])[least(attempts, cardinality($5::timestamptz[]))] END
        OR deferred_by IS NOT NULL AND created_at > $2)`,
    values: [
      new Date(nowMs),
      latest(0),
      latest(WINDOW_MS),
      latest(MAX_DEFERRAL_MS),
      MAX_DELAYS_MS.map(latest),
    ],
  });
}

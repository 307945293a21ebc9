import type { Queryable } from '../../database/database.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import type { Deferral } from './defer-messages.ts';

export interface BudgetUse {
  routeId: string;
  used: number;
  lastDigestAt: Date | null;
}

/**
 * How many messages of routes a target was sent since a time, whether they arrived or not: those of their own, and digests of
 * a storm that say something of the route. When the last digest of what was beyond the budget was made is read of two days.
 */
export async function listBudgetUses(
  database: Queryable,
  targetId: string,
  { routeIds, since, now }: { routeIds: readonly string[]; since: Date; now: Date },
): Promise<BudgetUse[]> {
  const { rows } = await database.query<BudgetUse>(
    `SELECT r.id AS "routeId",
        (SELECT count(*) FROM deliveries d WHERE d.target_id = $1 AND d.route_id = r.id AND d.last_attempt_at > $3
          AND d.subject_kind <> 'digest' AND NOT d.is_edit)
        + (SELECT count(*) FROM deliveries g WHERE g.target_id = $1 AND g.last_attempt_at > $3
          AND g.subject_kind = 'digest' AND g.change = 'digest' AND NOT g.is_edit AND EXISTS (
            SELECT FROM deliveries said WHERE said.collapsed_into = g.id AND said.route_id = r.id)) AS used,
        (SELECT max(created_at) FROM deliveries o WHERE o.target_id = $1 AND o.id >= $4 AND o.route_id = r.id
          AND o.subject_kind = 'digest' AND o.change = 'over_budget') AS "lastDigestAt"
      FROM unnest($2::uuid[]) AS r (id)`,
    [targetId, routeIds, since, uuidLowerBound(now.getTime() - 2 * DAY_MS)],
  );
  return rows;
}

/** Of these incidents and groups, those that are over: a person has muted a group, or it is resolved. */
export async function listResolvedSubjects(
  database: Queryable,
  organizationId: string,
  subjectIds: readonly string[],
): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM incidents WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND status = 'resolved'
      UNION ALL
      SELECT id FROM groups WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND state <> 'open'`,
    [organizationId, subjectIds],
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

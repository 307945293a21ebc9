import type { Queryable } from '../database/database.ts';

/**
 * Makes the deliveries due that wait for the quiet hours of a target, which have changed: the worker re-evaluates
 * them.
 */
export async function updateQuietHoursDue(database: Queryable, targetId: string, now: Date): Promise<void> {
  await database.query(
    `UPDATE deliveries SET due_at = $2 WHERE target_id = $1 AND state = 'pending' AND deferred_by = 'quiet_hours'`,
    [targetId, now],
  );
}

/** The same for the deliveries that wait for the budget of a route, as if they had never exceeded it. */
export async function updateBudgetDue(
  database: Queryable,
  { targetIds, routeId }: { targetIds: readonly string[]; routeId: string },
  now: Date,
): Promise<void> {
  await database.query(
    `UPDATE deliveries SET due_at = $3, deferred_by = NULL, deferred_reason = NULL
      WHERE target_id = ANY ($1::uuid[]) AND state = 'pending' AND route_id = $2 AND deferred_by = 'budget'`,
    [targetIds, routeId, now],
  );
}

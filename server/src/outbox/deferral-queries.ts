import type { Queryable } from '../database/database.ts';

/** Has the worker decide anew what waits for the quiet hours of a target, which have changed. */
export async function updateQuietHoursDue(database: Queryable, targetId: string, now: Date): Promise<void> {
  await database.query(
    `UPDATE deliveries SET due_at = $2 WHERE target_id = $1 AND state = 'pending' AND deferred_by = 'quiet_hours'`,
    [targetId, now],
  );
}

/** The same of what waits for the budget of a route, as if it had never been beyond it. */
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

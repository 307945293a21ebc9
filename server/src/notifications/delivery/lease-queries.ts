import type { Queryable } from '../../database/database.ts';
import { latestHold } from '../../platform/stored-times.ts';
import { TARGET_COLUMNS, type TargetRow } from '../targets/target.ts';
import { LEASE_MS, MAX_BLOCK_MS } from './retries.ts';

export interface ClaimedTarget extends TargetRow {
  bucketUntil: Date | null;
}

/**
 * Leases targets for which something is due, so that one worker at a time sends to each; those that work come first, and
 * of them what is due longest. It costs what waits, not how many targets there are: the index is read from one target to
 * the next (PostgreSQL has no skip scan).
 * @param limits how many in all, and how many of those that fail
 */
export async function acquireTargets(
  database: Queryable,
  { holder, now, until }: { holder: string; now: Date; until: Date },
  limits: { all: number; failing: number },
): Promise<ClaimedTarget[]> {
  const free = (
    isFailing: boolean,
    limit: string,
  ) => `SELECT t.id FROM due JOIN notification_targets t USING (id)
      WHERE t.disabled_at IS NULL AND ${isFailing ? 't.failures > 0' : 't.failures = 0'}
        AND (t.leased_until > $2 AND t.leased_until <= $6) IS NOT TRUE
        AND (t.blocked_until > $2 AND t.blocked_until <= $7) IS NOT TRUE
      ORDER BY due.due_at, t.id LIMIT ${limit} FOR NO KEY UPDATE OF t SKIP LOCKED`;
  const { rows } = await database.query<ClaimedTarget>({
    name: 'acquire-notification-targets',
    text: `WITH RECURSIVE waiting (id, due_at) AS (
        (SELECT target_id, due_at FROM deliveries WHERE state = 'pending' ORDER BY target_id, due_at LIMIT 1)
        UNION ALL
        SELECT next.target_id, next.due_at FROM waiting CROSS JOIN LATERAL (
          SELECT target_id, due_at FROM deliveries WHERE state = 'pending' AND target_id > waiting.id
          ORDER BY target_id, due_at LIMIT 1) AS next
      ), due AS MATERIALIZED (SELECT id, due_at FROM waiting WHERE due_at <= $2),
      working AS (${free(false, '$4')}), failing AS (${free(true, 'least($4 - (SELECT count(*) FROM working), $5)')})
      UPDATE notification_targets t SET leased_until = $3, lease_holder = $1
      WHERE t.id IN (SELECT id FROM working UNION ALL SELECT id FROM failing)
      RETURNING ${TARGET_COLUMNS}, t.bucket_until AS "bucketUntil"`,
    values: [
      holder,
      now,
      until,
      limits.all,
      limits.failing,
      new Date(latestHold(now.getTime(), LEASE_MS)),
      new Date(latestHold(now.getTime(), MAX_BLOCK_MS)),
    ],
  });
  return rows;
}

/** @returns whether the lease is still held */
export async function updateLease(
  database: Queryable,
  targetId: string,
  { holder, until, bucketUntil }: { holder: string; until: Date; bucketUntil: Date | null },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `UPDATE notification_targets SET leased_until = $3, bucket_until = coalesce($4, bucket_until)
      WHERE id = $1 AND lease_holder = $2 AND disabled_at IS NULL`,
    [targetId, holder, until, bucketUntil],
  );
  return rowCount === 1;
}

/** @param lease.blockedUntil null: the target may be sent to at once */
export async function deleteLease(
  database: Queryable,
  targetId: string,
  {
    holder,
    blockedUntil,
    bucketUntil,
  }: { holder: string; blockedUntil: Date | null; bucketUntil: Date | null },
): Promise<void> {
  await database.query(
    `UPDATE notification_targets SET leased_until = NULL, lease_holder = NULL, blocked_until = coalesce($3, blocked_until),
        bucket_until = coalesce($4, bucket_until)
      WHERE id = $1 AND lease_holder = $2`,
    [targetId, holder, blockedUntil, bucketUntil],
  );
}

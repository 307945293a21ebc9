import type { Queryable } from '../../database/database.ts';
import { latestHold } from '../../platform/stored-times.ts';
import { TARGET_COLUMNS, type TargetRow } from '../targets/target.ts';
import { LEASE_MS, MAX_BLOCK_MS } from './retries.ts';

export interface ClaimedTarget extends TargetRow {
  bucketUntil: Date | null;
}

/** Leased targets of an organization: the working ones and the failing ones. */
export interface OrganizationPlaces {
  organizationId: string;
  working: number;
  failing: number;
}

/** Maximum targets that a worker leases. */
export interface PlaceLimits {
  all: number;
  failing: number;
  ofOrganization: { working: number; failing: number };
  taken: readonly OrganizationPlaces[];
}

/**
 * Leases targets that have something due, so that one worker at a time sends to each; working ones come first. The
 * organizations take turns, each with what has been due longest, up to their own limits. The cost follows what waits,
 * not the number of targets: the index is read from one target to the next (PostgreSQL has no skip scan).
 */
export async function acquireTargets(
  database: Queryable,
  { holder, now, until }: { holder: string; now: Date; until: Date },
  { all, failing, ofOrganization, taken }: PlaceLimits,
): Promise<ClaimedTarget[]> {
  const isFree = `t.disabled_at IS NULL AND (t.leased_until > $2 AND t.leased_until <= $6) IS NOT TRUE
        AND (t.blocked_until > $2 AND t.blocked_until <= $7) IS NOT TRUE`;
  // The lock reads the target's current row: another worker may have leased it meanwhile.
  const locked = (
    isFailing: boolean,
    limit: string,
  ) => `SELECT t.id FROM free JOIN notification_targets t USING (id)
      WHERE ${isFailing ? 't.failures > 0' : 't.failures = 0'} AND free.is_failing = ${isFailing}
        AND free.place <= ${isFailing ? '$9' : '$8'} AND ${isFree}
      ORDER BY free.place, free.due_at, t.id LIMIT ${limit} FOR NO KEY UPDATE OF t SKIP LOCKED`;
  const { rows } = await database.query<ClaimedTarget>({
    name: 'acquire-notification-targets',
    text: `WITH RECURSIVE waiting (id, due_at) AS (
        (SELECT target_id, due_at FROM deliveries WHERE state = 'pending' ORDER BY target_id, due_at LIMIT 1)
        UNION ALL
        SELECT next.target_id, next.due_at FROM waiting CROSS JOIN LATERAL (
          SELECT target_id, due_at FROM deliveries WHERE state = 'pending' AND target_id > waiting.id
          ORDER BY target_id, due_at LIMIT 1) AS next
      ), due AS MATERIALIZED (SELECT id, due_at FROM waiting WHERE due_at <= $2),
      free AS MATERIALIZED (
        SELECT t.id, due.due_at, t.failures > 0 AS is_failing,
          coalesce(CASE WHEN t.failures > 0 THEN taken.failing ELSE taken.working END, 0)
            + row_number() OVER (PARTITION BY t.organization_id, t.failures > 0 ORDER BY due.due_at, t.id) AS place
        FROM due JOIN notification_targets t USING (id)
        LEFT JOIN jsonb_to_recordset($10::jsonb) AS taken ("organizationId" uuid, working int, failing int)
          ON taken."organizationId" = t.organization_id
        WHERE ${isFree}
      ),
      working AS (${locked(false, '$4')}), failing AS (${locked(true, 'least($4 - (SELECT count(*) FROM working), $5)')})
      UPDATE notification_targets t SET leased_until = $3, lease_holder = $1
      WHERE t.id IN (SELECT id FROM working UNION ALL SELECT id FROM failing)
      RETURNING ${TARGET_COLUMNS}, t.bucket_until AS "bucketUntil"`,
    values: [
      holder,
      now,
      until,
      all,
      failing,
      new Date(latestHold(now.getTime(), LEASE_MS)),
      new Date(latestHold(now.getTime(), MAX_BLOCK_MS)),
      ofOrganization.working,
      ofOrganization.failing,
      JSON.stringify(taken),
    ],
  });
  return rows;
}

/** @returns true if the lease is still held */
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

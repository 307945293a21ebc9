import type { Queryable } from '../../database/database.ts';
import { MAX_WAITING } from './queries.ts';
import { FALLBACK_ATTEMPTS } from './retries.ts';

export interface FallbackCandidate {
  deliveryId: string;
  fallbackTargetId: string;
}

/**
 * Deliveries that a fallback target of their route takes over: they have failed, were attempted often enough, or have
 * waited too long (since they were due, if they were deferred). Of a digest, the deliveries that it includes.
 */
export async function listFallbackCandidates(
  database: Queryable,
  target: { id: string; organizationId: string },
  { waitingSince, failedSince }: { waitingSince: Date; failedSince: Date },
): Promise<FallbackCandidate[]> {
  const gaveUp = (d: string) => `(${d}.state = 'pending' AND (${d}.attempts >= ${FALLBACK_ATTEMPTS}
      OR CASE WHEN ${d}.deferred_by IS NULL THEN ${d}.created_at ELSE ${d}.due_at END <= $3)
    OR ${d}.state = 'failed' AND ${d}.finished_at >= $4)`;
  const { rows } = await database.query<FallbackCandidate>(
    `SELECT d.id AS "deliveryId", f.id AS "fallbackTargetId"
      FROM deliveries d
        JOIN notification_routes r ON r.organization_id = $2 AND r.id = d.route_id
        JOIN notification_targets f ON f.id = r.fallback_target_id AND f.disabled_at IS NULL
      WHERE d.target_id = $1 AND d.fallback_of IS NULL AND d.subject_kind <> 'digest' AND f.id <> d.target_id
        AND (${gaveUp('d')} OR d.state = 'collapsed' AND EXISTS (
          SELECT FROM deliveries g WHERE g.id = d.collapsed_into AND g.subject_kind = 'digest' AND ${gaveUp('g')}))
        AND NOT EXISTS (SELECT FROM deliveries o WHERE o.target_id = f.id AND o.change_id = d.change_id)
      ORDER BY d.created_at, d.id LIMIT ${MAX_WAITING}`,
    [target.id, target.organizationId, waitingSince, failedSince],
  );
  return rows;
}

/** Passes deliveries to other targets, each of them once. */
export async function insertFallbacks(
  database: Queryable,
  fallbacks: readonly (FallbackCandidate & { id: string })[],
  now: Date,
): Promise<void> {
  await database.query(
    `INSERT INTO deliveries (id, organization_id, project_id, target_id, route_id, change_id, subject_kind, subject_id, change,
        severity, state, due_at, created_at, fallback_of)
      SELECT n.id, d.organization_id, d.project_id, n.target_id, d.route_id, d.change_id, d.subject_kind, d.subject_id,
        d.change, d.severity, 'pending', $4, $4, d.target_id
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS n (id, delivery_id, target_id)
        JOIN deliveries d ON d.id = n.delivery_id
      ON CONFLICT DO NOTHING`,
    [
      fallbacks.map(({ id }) => id),
      fallbacks.map(({ deliveryId }) => deliveryId),
      fallbacks.map(({ fallbackTargetId }) => fallbackTargetId),
      now,
    ],
  );
}

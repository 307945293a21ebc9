import type { Queryable } from '../../database/database.ts';
import type { Severity } from '../../events/severity.ts';
import type { RemoteMessage } from '../channels/outcome.ts';
import type { Change, SubjectKind } from '../outbox/change.ts';
import { TARGET_COLUMNS, type TargetRow } from '../targets/target.ts';
import type { Deferral } from './defer-messages.ts';
import { FALLBACK_ATTEMPTS } from './retries.ts';

/** What is read of one target at a time: a storm beyond it goes into the next digest. */
const MAX_WAITING = 20_000;

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
        AND (t.leased_until IS NULL OR t.leased_until <= $2) AND (t.blocked_until IS NULL OR t.blocked_until <= $2)
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
    values: [holder, now, until, limits.all, limits.failing],
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

export interface WaitingRow {
  id: string;
  projectId: string | null;
  routeId: string | null;
  subjectId: string;
  subjectKind: SubjectKind | 'digest';
  change: Change | 'digest' | 'over_budget';
  severity: Severity;
  attempts: number;
  createdAt: Date;
  dueAt: Date;
  /** Recipients that have the message, of a target with several; null: none. */
  acceptedBy: string[] | null;
  deferredBy: Deferral | null;
}

/** What was put off comes along where it is due, or where something of the same subject is. */
export async function listWaiting(database: Queryable, targetId: string, now: Date): Promise<WaitingRow[]> {
  const { rows } = await database.query<WaitingRow>({
    name: 'list-waiting-deliveries',
    text: `SELECT id, project_id AS "projectId", route_id AS "routeId", subject_id AS "subjectId",
        subject_kind AS "subjectKind", change, severity, attempts, created_at AS "createdAt", due_at AS "dueAt",
        accepted_by AS "acceptedBy", deferred_by AS "deferredBy"
      FROM deliveries
      WHERE target_id = $1 AND state = 'pending' AND (deferred_by IS NULL OR due_at <= $2 OR subject_id IN (
          SELECT subject_id FROM deliveries WHERE target_id = $1 AND state = 'pending' AND due_at <= $2))
      ORDER BY created_at, id LIMIT ${MAX_WAITING}`,
    values: [targetId, now],
  });
  return rows;
}

export interface ThreadRow {
  subjectId: string;
  remote: RemoteMessage | null;
  sentAt: Date;
}

export async function listThreads(
  database: Queryable,
  targetId: string,
  subjectIds: readonly string[],
): Promise<ThreadRow[]> {
  const { rows } = await database.query<ThreadRow>(
    `SELECT subject_id AS "subjectId", remote, sent_at AS "sentAt" FROM notification_threads
      WHERE target_id = $1 AND subject_id = ANY ($2::uuid[])`,
    [targetId, subjectIds],
  );
  return rows;
}

/** Messages of their own since a time, whether they arrived or not, and digests of storms, oldest first. */
export async function listRecentMessages(
  database: Queryable,
  targetId: string,
  since: Date,
): Promise<{ subjectId: string; isDigest: boolean; at: Date }[]> {
  const { rows } = await database.query<{ subjectId: string; isDigest: boolean; at: Date }>(
    `SELECT subject_id AS "subjectId", change = 'digest' AS "isDigest", last_attempt_at AS at FROM deliveries
      WHERE target_id = $1 AND last_attempt_at > $2 AND (change = 'digest' OR NOT is_edit)
      ORDER BY last_attempt_at LIMIT 100`,
    [targetId, since],
  );
  return rows;
}

/** Has one delivery say what others would have said, and what those said. */
export async function updateCollapsed(
  database: Queryable,
  ids: readonly string[],
  into: string,
  now: Date,
): Promise<void> {
  await database.query(
    `UPDATE deliveries SET state = 'collapsed', collapsed_into = $2,
        finished_at = CASE WHEN state = 'pending' THEN $3 ELSE finished_at END
      WHERE (id = ANY ($1::uuid[]) AND state = 'pending') OR collapsed_into = ANY ($1::uuid[])`,
    [ids, into, now],
  );
}

export async function updateDueTime(database: Queryable, ids: readonly string[], due: Date): Promise<void> {
  await database.query(
    `UPDATE deliveries SET due_at = $2 WHERE id = ANY ($1::uuid[]) AND state = 'pending'`,
    [ids, due],
  );
}

export async function updateStates(
  database: Queryable,
  ids: readonly string[],
  { state, reason, now }: { state: 'held' | 'dropped' | 'failed'; reason: string; now: Date },
): Promise<void> {
  await database.query(
    `UPDATE deliveries SET state = $2, last_reason = $3, finished_at = CASE WHEN $2 = 'held' THEN NULL ELSE $4::timestamptz END
      WHERE id = ANY ($1::uuid[]) AND state = 'pending'`,
    [ids, state, reason, now],
  );
}

/** Makes a digest and has it say the others, at once. @param routeId of a digest beyond the budget of a route, else null */
export async function insertDigest(
  database: Queryable,
  target: { id: string; organizationId: string },
  digest: {
    id: string;
    subjectId: string;
    routeId: string | null;
    severity: Severity;
    ids: readonly string[];
    now: Date;
  },
): Promise<void> {
  await database.query(
    `WITH digest AS (
        INSERT INTO deliveries (id, organization_id, target_id, change_id, subject_kind, subject_id, change, severity, state,
          due_at, created_at, route_id)
        VALUES ($1, $2, $3, $1, 'digest', $4, CASE WHEN $8::uuid IS NULL THEN 'digest' ELSE 'over_budget' END, $5, 'pending',
          $7, $7, $8)
      )
      UPDATE deliveries SET state = 'collapsed', collapsed_into = $1, finished_at = $7
      WHERE id = ANY ($6::uuid[]) AND state = 'pending'`,
    [
      digest.id,
      target.organizationId,
      target.id,
      digest.subjectId,
      digest.severity,
      digest.ids,
      digest.now,
      digest.routeId,
    ],
  );
}

/** What a digest says, with those before it in the same message: each incident and group once, the worst first. */
export async function listDigestSubjects(
  database: Queryable,
  targetId: string,
  digestSubjectId: string,
): Promise<
  { subjectId: string; subjectKind: SubjectKind; severity: Severity; since: Date; projectId: string }[]
> {
  const { rows } = await database.query<{
    subjectId: string;
    subjectKind: SubjectKind;
    severity: Severity;
    since: Date;
    projectId: string;
  }>(
    `SELECT said.subject_id AS "subjectId", max(said.subject_kind) AS "subjectKind", max(said.severity) AS severity,
        min(said.created_at) AS since, max(said.project_id::text)::uuid AS "projectId"
      FROM deliveries said
      WHERE said.collapsed_into IN (
          SELECT id FROM deliveries WHERE target_id = $1 AND subject_kind = 'digest' AND subject_id = $2)
        AND said.subject_kind <> 'digest'
      GROUP BY said.subject_id ORDER BY max(said.severity) DESC, said.subject_id LIMIT ${MAX_WAITING}`,
    [targetId, digestSubjectId],
  );
  return rows;
}

export interface AttemptRecord {
  deliveryId: string;
  targetId: string;
  holder: string;
  now: Date;
  status: number | null;
  reason: string | null;
  body: string;
  elapsedMs: number;
  isEdit: boolean;
}

/** What a target shows after a message has arrived. */
interface Arrived {
  subjectId: string;
  remote: RemoteMessage | null;
  severity: Severity;
  status: string;
  /** When recipients that do not have it yet are tried again, and those that have; null: it is done. */
  others: { retryAt: Date; acceptedBy: string[] } | null;
}

/** After a message has arrived: the target works, and the delivery is done where all recipients have it. */
export async function updateDelivered(
  database: Queryable,
  attempt: AttemptRecord,
  thread: Arrived,
): Promise<void> {
  await database.query(
    `WITH done AS (
        UPDATE deliveries SET state = CASE WHEN $12::timestamptz IS NULL THEN 'delivered' ELSE 'pending' END,
          attempts = attempts + 1, finished_at = CASE WHEN $12 IS NULL THEN $3::timestamptz END, last_attempt_at = $3,
          due_at = coalesce($12, due_at), accepted_by = $13::uuid[],
          last_status = $4, last_reason = $14, last_body = $5, last_elapsed_ms = $6, is_edit = $7
        WHERE id = $1 RETURNING organization_id, project_id
      ), healthy AS (
        UPDATE notification_targets SET failing_since = NULL, failures = 0, refusals = 0, last_success_at = $3,
          blocked_until = NULL
        WHERE id = $2
      )
      INSERT INTO notification_threads AS t (target_id, subject_id, organization_id, project_id, remote, severity, status,
        first_sent_at, sent_at)
      SELECT $2, $8, organization_id, project_id, $9::jsonb, $10, $11, $3, $3 FROM done
      ON CONFLICT (target_id, subject_id) DO UPDATE SET remote = excluded.remote, severity = excluded.severity,
        status = excluded.status, sent_at = excluded.sent_at`,
    [
      attempt.deliveryId,
      attempt.targetId,
      attempt.now,
      attempt.status,
      attempt.body,
      attempt.elapsedMs,
      attempt.isEdit,
      thread.subjectId,
      thread.remote && JSON.stringify(thread.remote),
      thread.severity,
      thread.status,
      thread.others?.retryAt ?? null,
      thread.others?.acceptedBy ?? null,
      attempt.reason,
    ],
  );
}

export interface TargetHealth {
  failingSince: Date;
  refusals: number;
}

/** After a failed attempt. @param retryAt null: there is no further attempt */
export async function updateFailed(
  database: Queryable,
  attempt: AttemptRecord,
  { retryAt, isTargetRefused }: { retryAt: Date | null; isTargetRefused: boolean },
): Promise<TargetHealth | null> {
  const { rows } = await database.query<TargetHealth>(
    `WITH failed AS (
        UPDATE deliveries SET state = CASE WHEN $8::timestamptz IS NULL THEN 'failed' ELSE 'pending' END,
          attempts = attempts + 1, due_at = coalesce($8, due_at), finished_at = CASE WHEN $8 IS NULL THEN $3::timestamptz END,
          last_attempt_at = $3, last_status = $4, last_reason = $5, last_body = $6, last_elapsed_ms = $7, is_edit = $10
        WHERE id = $1
      )
      UPDATE notification_targets SET failing_since = coalesce(failing_since, $3), failures = failures + 1,
        refusals = CASE WHEN $9 THEN refusals + 1 ELSE 0 END, last_failure = $5
      WHERE id = $2 RETURNING failing_since AS "failingSince", refusals`,
    [
      attempt.deliveryId,
      attempt.targetId,
      attempt.now,
      attempt.status,
      attempt.reason,
      attempt.body,
      attempt.elapsedMs,
      retryAt,
      isTargetRefused,
      attempt.isEdit,
    ],
  );
  return rows[0] ?? null;
}

/** The message is to be sent anew: the one that was to be edited is gone. */
export async function updateThreadGone(
  database: Queryable,
  targetId: string,
  subjectId: string,
): Promise<void> {
  await database.query(
    'UPDATE notification_threads SET remote = NULL WHERE target_id = $1 AND subject_id = $2',
    [targetId, subjectId],
  );
}

/** Disables a target; what waits for it has failed. */
export async function updateDisabled(
  database: Queryable,
  targetId: string,
  reason: string,
  now: Date,
): Promise<void> {
  await database.query(
    `WITH disabled AS (
        UPDATE notification_targets SET disabled_at = $3, disabled_reason = $2 WHERE id = $1 AND disabled_at IS NULL
      )
      UPDATE deliveries SET state = 'failed', finished_at = $3, last_reason = $2
      WHERE target_id = $1 AND state = 'pending'`,
    [targetId, reason, now],
  );
}

export interface FallbackCandidate {
  deliveryId: string;
  fallbackTargetId: string;
}

/**
 * What a target does not take and a route has a fallback target for: what has failed, was attempted often enough, or has
 * waited too long, since it was due where it was put off; of a digest, what it says.
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

/** Hands deliveries to other targets; none of them twice. */
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

/** How much waits, and since when. */
export async function findOutboxLag(
  database: Queryable,
  now: Date,
): Promise<{ pending: number; ageSeconds: number; held: number; failingTargets: number }> {
  const { rows } = await database.query<{
    pending: number;
    ageSeconds: number;
    held: number;
    failingTargets: number;
  }>(
    `SELECT (SELECT count(*) FROM deliveries WHERE state = 'pending') AS pending,
        (SELECT coalesce(greatest(0, extract(epoch FROM $1 - min(due_at))), 0)::float8 FROM deliveries d
          WHERE state = 'pending' AND attempts = 0) AS "ageSeconds",
        (SELECT count(*) FROM deliveries WHERE state = 'held') AS held,
        (SELECT count(*) FROM notification_targets WHERE failures > 0 OR disabled_reason IS NOT NULL) AS "failingTargets"`,
    [now],
  );
  return rows[0] ?? { pending: 0, ageSeconds: 0, held: 0, failingTargets: 0 };
}

import type { Queryable } from '../../database/database.ts';
import type { Severity } from '../../events/severity.ts';
import type { RemoteMessage } from '../channels/base/outcome.ts';

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

/** State of a target after a message has arrived. */
interface MessageArrival {
  subjectId: string;
  remote: RemoteMessage | null;
  severity: Severity;
  status: string;
  /** When the remaining recipients are tried again, and which recipients have the message; null: all have it. */
  others: { retryAt: Date; acceptedBy: string[] } | null;
}

/**
 * Stores that a message has arrived: the target works, and the delivery is done once all recipients have the message.
 */
export async function updateDelivered(
  database: Queryable,
  attempt: AttemptRecord,
  thread: MessageArrival,
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
  /** First failure since the last success; null: the target is not failing. */
  failingSince: Date | null;
  refusals: number;
}

/** Stores a failed attempt. @param retryAt null: there is no further attempt */
export async function updateFailed(
  database: Queryable,
  attempt: AttemptRecord,
  {
    retryAt,
    isTargetRefused,
    isInconclusive,
  }: { retryAt: Date | null; isTargetRefused: boolean; isInconclusive: boolean },
): Promise<TargetHealth | null> {
  const { rows } = await database.query<TargetHealth>(
    `WITH failed AS (
        UPDATE deliveries SET state = CASE WHEN $8::timestamptz IS NULL THEN 'failed' ELSE 'pending' END,
          attempts = attempts + 1, due_at = coalesce($8, due_at), finished_at = CASE WHEN $8 IS NULL THEN $3::timestamptz END,
          last_attempt_at = $3, last_status = $4, last_reason = $5, last_body = $6, last_elapsed_ms = $7, is_edit = $10
        WHERE id = $1
      )
      UPDATE notification_targets SET failing_since = CASE WHEN $11 THEN failing_since ELSE coalesce(failing_since, $3) END,
        failures = failures + CASE WHEN $11 THEN 0 ELSE 1 END,
        refusals = CASE WHEN $11 THEN refusals WHEN $9 THEN refusals + 1 ELSE 0 END, last_failure = $5
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
      isInconclusive,
    ],
  );
  return rows[0] ?? null;
}

/** Stores that the message to edit no longer exists: it is sent as a new one. */
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

/** Disables a target; its pending deliveries have failed. */
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

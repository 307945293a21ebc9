import type { Queryable } from '../../database/database.ts';
import type { Severity } from '../../events/severity.ts';
import type { Change, SubjectKind } from '../../outbox/change.ts';
import type { RemoteMessage } from '../channels/base/outcome.ts';
import type { Deferral } from './situation.ts';

/** Maximum deliveries that are read of one target at a time: a larger storm goes into the next digest. */
export const MAX_WAITING = 20_000;

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

/** Lists due deliveries; deferred ones also if another delivery of the same subject is due. */
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

export interface RecentRow extends Pick<WaitingRow, 'subjectId' | 'subjectKind' | 'change' | 'severity'> {
  at: Date;
}

/** New messages between two times, whether they arrived or not, and storm digests, oldest first. */
export async function listRecentMessages(
  database: Queryable,
  targetId: string,
  { since, until }: { since: Date; until: Date },
): Promise<RecentRow[]> {
  const { rows } = await database.query<RecentRow>(
    `SELECT subject_id AS "subjectId", subject_kind AS "subjectKind", change, severity, last_attempt_at AS at
      FROM deliveries
      WHERE target_id = $1 AND last_attempt_at > $2 AND last_attempt_at <= $3 AND (change = 'digest' OR NOT is_edit)
      ORDER BY last_attempt_at LIMIT 100`,
    [targetId, since, until],
  );
  return rows;
}

/** Lets one delivery stand for others, and for those that they stood for. */
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

/**
 * Inserts a digest and lets it stand for the others, at once. @param routeId route whose budget they exceed, else
 * null
 */
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

/** Subjects of a digest and of those before it in the same message: each incident and group once, the worst first. */
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

/** Number of pending deliveries, and since when they wait. */
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

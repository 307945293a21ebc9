import type { Queryable } from '../../database/database.ts';
import { deleteChunk } from '../../database/retention-queries.ts';
import type { Severity } from '../../events/severity.ts';
import type { RouteDecision } from '../../outbox/decide-delivery.ts';
import type { ChannelKind } from '../channels/registry.ts';
import type { Deferral } from '../delivery/situation.ts';

export interface DeliveryRow {
  id: string;
  targetId: string;
  targetName: string;
  kind: ChannelKind;
  subjectKind: 'incident' | 'group' | 'schedule' | 'digest';
  subjectId: string;
  change: string;
  severity: Severity;
  state: 'pending' | 'delivered' | 'failed' | 'collapsed' | 'held' | 'dropped';
  isEdit: boolean;
  attempts: number;
  lastStatus: number | null;
  lastReason: string | null;
  lastBody: string | null;
  lastElapsedMs: number | null;
  createdAt: Date;
  dueAt: Date;
  lastAttemptAt: Date | null;
  collapsedInto: string | null;
  fallbackOf: string | null;
  deferredBy: Deferral | null;
  deferredReason: string | null;
}

const COLUMNS = `d.id, d.target_id AS "targetId", t.name AS "targetName", t.kind, d.subject_kind AS "subjectKind",
  d.subject_id AS "subjectId", d.change, d.severity, d.state, d.is_edit AS "isEdit", d.attempts,
  d.last_status AS "lastStatus", d.last_reason AS "lastReason", d.last_body AS "lastBody",
  d.last_elapsed_ms AS "lastElapsedMs", d.created_at AS "createdAt", d.due_at AS "dueAt",
  d.last_attempt_at AS "lastAttemptAt", d.collapsed_into AS "collapsedInto", d.fallback_of AS "fallbackOf",
  d.deferred_by AS "deferredBy", d.deferred_reason AS "deferredReason"`;

/** Columns by which deliveries are listed: a target, or an incident or group. */
const OF = { target: 'd.target_id', subject: 'd.subject_id' } as const;

/** Newest first; one more than `limit`, so that the caller knows if there is a next page. */
export async function listDeliveries(
  database: Queryable,
  organizationId: string,
  { of, id, cursor, limit }: { of: keyof typeof OF; id: string; cursor: string | null; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await database.query<DeliveryRow>(
    `SELECT ${COLUMNS} FROM deliveries d JOIN notification_targets t ON t.id = d.target_id
      WHERE d.organization_id = $1 AND ${OF[of]} = $2 AND ($3::uuid IS NULL OR d.id < $3)
      ORDER BY d.id DESC LIMIT $4 + 1`,
    [organizationId, id, cursor, limit],
  );
  return rows;
}

export interface DecidedChangeRow {
  id: string;
  change: string;
  severity: Severity;
  createdAt: Date;
  decisions: RouteDecision[];
  /** Names of the targets that still exist, by their UUIDs. */
  targetNames: Record<string, string> | null;
  /** Deferred deliveries of the change, by the UUIDs of their targets. */
  deferred: Record<string, DeferredDelivery> | null;
}

/** @property state current state of the delivery */
export type DeferredDelivery = {
  state: DeliveryRow['state'];
  deferredReason: string;
  lastReason: string | null;
};

/** Newest first; one more than `limit`, as above. */
export async function listDecidedChanges(
  database: Queryable,
  organizationId: string,
  { subjectId, cursor, limit }: { subjectId: string; cursor: string | null; limit: number },
): Promise<DecidedChangeRow[]> {
  const { rows } = await database.query<DecidedChangeRow>(
    `SELECT id, change, severity, created_at AS "createdAt", decisions,
        (SELECT jsonb_object_agg(id, name) FROM notification_targets WHERE organization_id = $1) AS "targetNames",
        (SELECT jsonb_object_agg(d.target_id,
            jsonb_build_object('state', d.state, 'deferredReason', d.deferred_reason, 'lastReason', d.last_reason))
          FROM deliveries d
          WHERE d.organization_id = $1 AND d.subject_id = $2 AND d.change_id = c.id AND d.deferred_by IS NOT NULL) AS deferred
      FROM notification_changes c
      WHERE organization_id = $1 AND subject_id = $2 AND ($3::uuid IS NULL OR id < $3)
      ORDER BY id DESC LIMIT $4 + 1`,
    [organizationId, subjectId, cursor, limit],
  );
  return rows;
}

export async function countHeld(database: Queryable, organizationId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM deliveries WHERE organization_id = $1 AND state = 'held'`,
    [organizationId],
  );
  return rows[0]?.count ?? 0;
}

/** Releases what is held as if it were new; sends nothing to disabled targets. @returns how many */
export async function updateHeldReleased(
  database: Queryable,
  organizationId: string,
  now: Date,
): Promise<number> {
  const { rowCount } = await database.query(
    `UPDATE deliveries d SET state = CASE WHEN t.disabled_at IS NULL THEN 'pending' ELSE 'dropped' END,
        due_at = $2, created_at = $2, last_reason = NULL, deferred_by = NULL, deferred_reason = NULL
      FROM notification_targets t
      WHERE t.id = d.target_id AND d.organization_id = $1 AND d.state = 'held'`,
    [organizationId, now],
  );
  return rowCount ?? 0;
}

/** Drops what is held, so that it is never sent. @returns how many */
export async function updateHeldDropped(
  database: Queryable,
  organizationId: string,
  now: Date,
): Promise<number> {
  const { rowCount } = await database.query(
    `UPDATE deliveries SET state = 'dropped', finished_at = $2, last_reason = 'Dropped by an OWNER.'
      WHERE organization_id = $1 AND state = 'held'`,
    [organizationId, now],
  );
  return rowCount ?? 0;
}

/** Holds, after a restore, what the backup would still have sent, until a person decides. @returns how many */
export async function updatePendingHeld(database: Queryable): Promise<number> {
  const { rowCount } = await database.query(
    `UPDATE deliveries SET state = 'held', last_reason = 'Held: restored from a backup.' WHERE state = 'pending'`,
  );
  return rowCount ?? 0;
}

/** Deletes up to `limit` finished deliveries. */
export function deleteDeliveriesBefore(database: Queryable, before: Date, limit: number): Promise<number> {
  return deleteChunk(
    database,
    ['deliveries', `created_at < $1 AND state NOT IN ('pending', 'held')`],
    before,
    limit,
  );
}

export function deleteChangesBefore(database: Queryable, before: Date, limit: number): Promise<number> {
  return deleteChunk(database, ['notification_changes', 'created_at < $1'], before, limit);
}

export function deleteThreadsBefore(database: Queryable, before: Date, limit: number): Promise<number> {
  return deleteChunk(database, ['notification_threads', 'sent_at < $1'], before, limit);
}

import type { Queryable, Transaction } from '../platform/database.ts';
import { newUuid } from '../platform/ids.ts';

/** Who makes a change, and in which organization. UUIDs. */
export interface Actor {
  organizationId: string;
  userId: string;
}

export interface Change {
  /** What was done, as `resource.past_participle`. */
  action: string;
  /** The public id of what was changed. */
  targetId: string;
  /** The fields that changed, before and after; never a secret. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Writes the audit record of a change; belongs into the transaction that makes the change. */
export async function recordChange(transaction: Transaction, actor: Actor, change: Change): Promise<void> {
  const now = transaction.now();
  await transaction.query(
    `INSERT INTO audit_log (id, organization_id, user_id, action, target_id, before, after, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      newUuid(now),
      actor.organizationId,
      actor.userId,
      change.action,
      change.targetId,
      change.before && JSON.stringify(change.before),
      change.after && JSON.stringify(change.after),
      new Date(now),
    ],
  );
}

export interface AuditRow extends Change {
  id: string;
  userId: string;
  userName: string | null;
  createdAt: Date;
}

/** Newest first; one more than `limit`, so that the caller sees whether there is a next page. */
export async function listChanges(
  database: Queryable,
  organizationId: string,
  page: { cursor: string | null; limit: number },
): Promise<AuditRow[]> {
  const { rows } = await database.query<AuditRow>(
    `SELECT a.id, a.user_id AS "userId", u.name AS "userName", a.action, a.target_id AS "targetId",
        a.before, a.after, a.created_at AS "createdAt"
      FROM audit_log a LEFT JOIN users u ON u.id = a.user_id
      WHERE a.organization_id = $1 AND ($2::uuid IS NULL OR a.id < $2)
      ORDER BY a.id DESC LIMIT $3 + 1`,
    [organizationId, page.cursor, page.limit],
  );
  return rows;
}

import type { Queryable } from '../../database/database.ts';

export interface AuditEntryRow {
  id: string;
  userId: string;
  tokenId: string | null;
  /** Name at that time: the token may be deleted. */
  tokenName: string | null;
  action: string;
  /** Public id of the changed row. */
  targetId: string;
  before: object | null;
  after: object | null;
  createdAt: Date;
}

export async function insertAuditEntry(
  database: Queryable,
  organizationId: string,
  entry: AuditEntryRow,
): Promise<void> {
  await database.query(
    `INSERT INTO audit_log (id, organization_id, user_id, action, target_id, before, after, created_at,
        token_id, token_name)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      entry.id,
      organizationId,
      entry.userId,
      entry.action,
      entry.targetId,
      entry.before && JSON.stringify(entry.before),
      entry.after && JSON.stringify(entry.after),
      entry.createdAt,
      entry.tokenId,
      entry.tokenName,
    ],
  );
}

/**
 * Inserts changes that were made without a token, of several organizations; by columns that the schema of each
 * version has.
 */
export async function insertAuditEntries(
  database: Queryable,
  entries: readonly (Omit<AuditEntryRow, 'tokenId' | 'tokenName'> & { organizationId: string })[],
): Promise<void> {
  if (entries.length === 0) return;
  await database.query(
    `INSERT INTO audit_log (id, organization_id, user_id, action, target_id, before, after, created_at)
      SELECT id, "organizationId", "userId", action, "targetId", before, after, "createdAt"
      FROM jsonb_to_recordset($1::jsonb) AS entry (id uuid, "organizationId" uuid, "userId" uuid, action text,
        "targetId" text, before jsonb, after jsonb, "createdAt" timestamptz)`,
    [JSON.stringify(entries)],
  );
}

export interface AuditRow extends AuditEntryRow {
  userName: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Newest first; one more than `limit`, so that the caller knows if there is a next page. */
export async function listAuditEntries(
  database: Queryable,
  organizationId: string,
  page: { cursor: string | null; limit: number },
): Promise<AuditRow[]> {
  const { rows } = await database.query<AuditRow>(
    `SELECT a.id, a.user_id AS "userId", u.name AS "userName", a.action, a.target_id AS "targetId",
        a.before, a.after, a.created_at AS "createdAt", a.token_id AS "tokenId", a.token_name AS "tokenName"
      FROM audit_log a LEFT JOIN users u ON u.id = a.user_id
      WHERE a.organization_id = $1 AND ($2::uuid IS NULL OR a.id < $2)
      ORDER BY a.id DESC LIMIT $3 + 1`,
    [organizationId, page.cursor, page.limit],
  );
  return rows;
}

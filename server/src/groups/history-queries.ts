import type { Queryable } from '../database/database.ts';

interface GroupHistoryRow {
  id: string;
  group: { id: string; organizationId: string; projectId: string };
  /** Null: the service. */
  userId: string | null;
  before: object;
  after: object;
  createdAt: Date;
}

export async function insertHistory(database: Queryable, entries: readonly GroupHistoryRow[]): Promise<void> {
  await database.query(
    `INSERT INTO group_history (id, organization_id, project_id, group_id, user_id, before, after, created_at)
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::jsonb[], $7::jsonb[],
        $8::timestamptz[])`,
    [
      entries.map(({ id }) => id),
      entries.map(({ group }) => group.organizationId),
      entries.map(({ group }) => group.projectId),
      entries.map(({ group }) => group.id),
      entries.map(({ userId }) => userId),
      entries.map(({ before }) => JSON.stringify(before)),
      entries.map(({ after }) => JSON.stringify(after)),
      entries.map(({ createdAt }) => createdAt),
    ],
  );
}

export interface ListedHistoryRow {
  id: string;
  userId: string | null;
  userName: string | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  createdAt: Date;
}

/** Newest first; one more than `limit`, so that the caller knows if there is a next page. */
export async function listHistory(
  database: Queryable,
  organizationId: string,
  groupId: string,
  page: { cursor: string | null; limit: number },
): Promise<ListedHistoryRow[]> {
  const { rows } = await database.query<ListedHistoryRow>(
    `SELECT h.id, h.user_id AS "userId", u.name AS "userName", h.before, h.after, h.created_at AS "createdAt"
      FROM group_history h LEFT JOIN users u ON u.id = h.user_id
      WHERE h.organization_id = $1 AND h.group_id = $2 AND ($3::uuid IS NULL OR h.id < $3)
      ORDER BY h.id DESC LIMIT $4 + 1`,
    [organizationId, groupId, page.cursor, page.limit],
  );
  return rows;
}

import type { Queryable } from '../../database/database.ts';

/** Number of items of a kind that a project sent, or says that it lost, without an event for each. */
export interface UnstoredItems {
  projectId: string;
  kind: string;
  reason: string;
  quantity: number;
}

/** Adds to the sums of projects that are not deleted. Not by organization: the projects are those of checked keys. */
export async function addUnstoredItems(database: Queryable, items: readonly UnstoredItems[]): Promise<void> {
  await database.query(
    `WITH live AS (
        SELECT id FROM projects WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE
      )
      INSERT INTO unstored_items AS u (project_id, kind, reason, quantity)
        SELECT i.project_id, i.kind, i.reason, i.quantity
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) AS i (project_id, kind, reason, quantity)
        JOIN live ON live.id = i.project_id
        ORDER BY i.project_id, i.kind, i.reason
      ON CONFLICT (project_id, kind, reason) DO UPDATE SET quantity = u.quantity + excluded.quantity`,
    [
      items.map(({ projectId }) => projectId),
      items.map(({ kind }) => kind),
      items.map(({ reason }) => reason),
      items.map(({ quantity }) => quantity),
    ],
  );
}

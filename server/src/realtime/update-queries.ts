import type { Queryable } from '../database/database.ts';
import type { GroupUpdate } from '../groups/update-queries.ts';

export interface UpdateRow {
  id: number;
  organizationId: string;
  projectId: string;
  change: GroupUpdate | 'release_created' | 'deploy_recorded';
  /** Id of the group or deploy, or version of the release. */
  subject: string;
}

/**
 * Updates announced after an id, except for some ids; of live projects.
 * @returns ids of all that were read, and the updates of these organizations
 */
export async function listUpdatesAfter(
  database: Queryable,
  { afterId, except, organizationIds, limit }: ReadUpdates,
): Promise<{ ids: number[]; updates: UpdateRow[] }> {
  const { rows } = await database.query<
    Omit<UpdateRow, 'organizationId'> & { organizationId: string | null }
  >({
    name: 'list-updates-after',
    text: `SELECT u.id, p.organization_id AS "organizationId", u.project_id AS "projectId", u.change, u.subject
      FROM (
        SELECT * FROM live_updates WHERE id > $1 AND id <> ALL ($2::bigint[]) ORDER BY id LIMIT $4
      ) AS u
      LEFT JOIN projects p ON p.id = u.project_id AND p.deleted_at IS NULL AND p.organization_id = ANY ($3::uuid[])
      ORDER BY u.id`,
    values: [afterId, except, organizationIds, limit],
  });
  const updates = rows.flatMap(({ organizationId, ...row }) =>
    organizationId === null ? [] : [{ ...row, organizationId }],
  );
  return { ids: rows.map(({ id }) => id), updates };
}

interface ReadUpdates {
  afterId: number;
  except: readonly number[];
  organizationIds: readonly string[];
  limit: number;
}

export async function findLastUpdateId(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ id: number | null }>('SELECT max(id) AS id FROM live_updates');
  return rows[0]?.id ?? 0;
}

export async function deleteUpdatesBefore(database: Queryable, before: Date): Promise<void> {
  await database.query('DELETE FROM live_updates WHERE created_at < $1', [before]);
}

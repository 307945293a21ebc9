import type { Queryable } from '../../database/database.ts';
import { LIVE_PROJECTS } from '../../tenancy/projects/queries.ts';
import type { EventConditions } from '../read-types.ts';
import type { KnownValues } from './archive-where.ts';
import { findArchiveState } from './block-queries.ts';

/** Maximum fingerprints that a statement to the archive excludes. */
export const MAX_LED_FINGERPRINTS = 10_000;

/** Finds the values that the archive needs, the time before which it has the events (null: it has none) and the number of moves. */
export async function findKnownValues(
  database: Queryable,
  organizationId: string,
  { environment, projectId, group }: EventConditions,
): Promise<KnownValues & { archivedUntilMs: number | null; moves: number }> {
  const leadsNowhere = group !== null && group.fingerprints === null ? group.projectId : null;
  const { rows } = await database.query<KnownValues & { archivedUntil: Date | null; moves: number }>(
    `SELECT (SELECT archived_until FROM archive_state) AS "archivedUntil",
        coalesce((SELECT moves FROM archive_state), 0) AS moves,
        ARRAY(SELECT id FROM projects WHERE organization_id = $1 AND deleted_at IS NULL) AS "projectIds",
        ARRAY(SELECT DISTINCT number FROM environments WHERE ${LIVE_PROJECTS} AND name = $2) AS "environmentNumbers",
        ARRAY(SELECT number FROM environments WHERE project_id = $3 AND NOT is_watched) AS "unwatchedNumbers",
        CASE WHEN $4::uuid IS NOT NULL THEN ARRAY(
          SELECT fingerprint FROM group_fingerprints WHERE project_id = $4 LIMIT ${MAX_LED_FINGERPRINTS + 1}
        ) END AS "ledFingerprints"`,
    [organizationId, environment, projectId, leadsNowhere],
  );
  const [known] = rows;
  if (!known) throw new Error('A statement without a table returned no row.');
  const { archivedUntil, ...values } = known;
  return { ...values, archivedUntilMs: archivedUntil?.getTime() ?? null };
}

/** Time before which events are in the archive; null: it has none. */
export async function findArchivedUntil(database: Queryable): Promise<number | null> {
  return (await findArchiveState(database))?.archivedUntil?.getTime() ?? null;
}

/** The same if events of a group, with all that were merged into it, may be in the archive; null: none are. */
export async function findArchivedUntilOfGroup(
  database: Queryable,
  organizationId: string,
  groupId: string,
): Promise<number | null> {
  const { rows } = await database.query<{ archivedUntil: Date }>(
    `SELECT archived_until AS "archivedUntil" FROM archive_state, groups AS g
      JOIN groups AS head ON head.id = coalesce(g.merged_into, g.id)
      WHERE g.organization_id = $1 AND g.id = $2 AND head.number > 0 AND head.first_seen < archived_until`,
    [organizationId, groupId],
  );
  return rows[0]?.archivedUntil.getTime() ?? null;
}

/** Number of moves to the archive so far, late ones of its weeks included: events are in one store alone while it stays the same. */
export async function findMoves(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ moves: number }>('SELECT moves FROM archive_state');
  return rows[0]?.moves ?? 0;
}

/** The ones of these ids that PostgreSQL has, without hyphens. */
export async function listStoredIds(database: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>('SELECT id FROM events WHERE id = ANY ($1::uuid[])', [
    ids,
  ]);
  return new Set(rows.map(({ id }) => id.replaceAll('-', '')));
}

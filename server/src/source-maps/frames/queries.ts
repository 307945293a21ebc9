import type { Queryable } from '../../database/database.ts';
import { LIVE_PROJECTS } from '../../tenancy/projects/queries.ts';

export interface StoredMap {
  debugId: string;
  /** SHA-256 of the map. */
  checksum: Buffer;
  isDeflated: boolean;
}

/**
 * The stored maps of these debug ids. The time of their use is noted once a day, or at the next one where the row is
 * locked: a reader waits for no upload.
 */
export async function listMaps(
  database: Queryable,
  organizationId: string,
  { projectId, debugIds, now }: { projectId: string; debugIds: readonly string[]; now: Date },
): Promise<StoredMap[]> {
  const { rows } = await database.query<StoredMap>(
    `WITH used AS (
        UPDATE source_maps SET used_at = $4
        WHERE project_id = $2 AND debug_id IN (
          SELECT debug_id FROM source_maps
          WHERE project_id = $2 AND debug_id = ANY ($3::uuid[]) AND used_at < $4::timestamptz - interval '1 day'
          FOR NO KEY UPDATE SKIP LOCKED)
      )
      SELECT debug_id AS "debugId", checksum, is_deflated AS "isDeflated" FROM source_maps
      WHERE ${LIVE_PROJECTS} AND project_id = $2 AND debug_id = ANY ($3::uuid[])`,
    [organizationId, projectId, debugIds, now],
  );
  return rows;
}

/** The pieces of a map in their order; empty if it was replaced since. */
export async function listPieces(
  database: Queryable,
  projectId: string,
  { debugId, checksum }: StoredMap,
): Promise<Buffer[]> {
  const { rows } = await database.query<{ bytes: Buffer }>(
    `SELECT bytes FROM source_map_pieces JOIN source_maps USING (project_id, debug_id)
      WHERE project_id = $1 AND debug_id = $2 AND checksum = $3 ORDER BY number`,
    [projectId, debugId, checksum],
  );
  return rows.map(({ bytes }) => bytes);
}

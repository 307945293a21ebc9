import type { Queryable } from '../../database/database.ts';
import { LIVE_PROJECTS } from '../../tenancy/projects/queries.ts';

export interface MapId {
  projectId: string;
  debugId: string;
}

export interface StoredMap extends MapId {
  /** SHA-256 of the map. */
  checksum: Buffer;
  isDeflated: boolean;
}

/**
 * The stored maps among these. The time of their use is noted once a day, or at the next one where the row is locked: a
 * reader waits for no upload.
 */
export async function listMaps(
  database: Queryable,
  organizationId: string,
  { wanted, now }: { wanted: readonly MapId[]; now: Date },
): Promise<StoredMap[]> {
  const { rows } = await database.query<StoredMap>(
    `WITH wanted AS (
        SELECT project_id, debug_id FROM unnest($2::uuid[], $3::uuid[]) AS wanted (project_id, debug_id)
        WHERE ${LIVE_PROJECTS}
      ), used AS (
        UPDATE source_maps SET used_at = $4
        WHERE (project_id, debug_id) IN (
          SELECT project_id, debug_id FROM source_maps JOIN wanted USING (project_id, debug_id)
          WHERE used_at < $4::timestamptz - interval '1 day' FOR NO KEY UPDATE OF source_maps SKIP LOCKED)
      )
      SELECT project_id AS "projectId", debug_id AS "debugId", checksum, is_deflated AS "isDeflated"
      FROM source_maps JOIN wanted USING (project_id, debug_id)`,
    [organizationId, wanted.map(({ projectId }) => projectId), wanted.map(({ debugId }) => debugId), now],
  );
  return rows;
}

/** The pieces of a map in their order; empty if it was replaced since. */
export async function listPieces(
  database: Queryable,
  { projectId, debugId, checksum }: StoredMap,
): Promise<Buffer[]> {
  const { rows } = await database.query<{ bytes: Buffer }>(
    `SELECT bytes FROM source_map_pieces JOIN source_maps USING (project_id, debug_id)
      WHERE project_id = $1 AND debug_id = $2 AND checksum = $3 ORDER BY number`,
    [projectId, debugId, checksum],
  );
  return rows.map(({ bytes }) => bytes);
}

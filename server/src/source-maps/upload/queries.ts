import type { Queryable } from '../../database/database.ts';
import { LIVE_PROJECTS } from '../../tenancy/projects/queries.ts';
import { MAX_PROJECT_BYTES, MAX_PROJECT_MAPS } from '../limits.ts';

/** Maximum chunks of an organization that wait for their bundle; the oldest make room. */
const MAX_WAITING_CHUNKS = 1_024;
/** Maximum bundles of a project that are remembered. */
const MAX_BUNDLES = 200;

export async function upsertChunk(
  database: Queryable,
  organizationId: string,
  { checksum, bytes, now }: { checksum: Buffer; bytes: Buffer; now: Date },
): Promise<void> {
  await database.query(
    `WITH surplus AS (
        DELETE FROM upload_chunks WHERE organization_id = $1 AND checksum IN (
          SELECT checksum FROM upload_chunks WHERE organization_id = $1 AND checksum <> $2
          ORDER BY uploaded_at DESC, checksum OFFSET ${MAX_WAITING_CHUNKS - 1})
      )
      INSERT INTO upload_chunks (organization_id, checksum, bytes, uploaded_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (organization_id, checksum) DO UPDATE SET uploaded_at = excluded.uploaded_at`,
    [organizationId, checksum, bytes, now],
  );
}

/** Lengths of the chunks that have arrived, by checksum in hexadecimal. */
export async function listChunkLengths(
  database: Queryable,
  organizationId: string,
  checksums: readonly Buffer[],
): Promise<Map<string, number>> {
  const { rows } = await database.query<{ checksum: Buffer; length: number }>(
    `SELECT checksum, length(bytes) AS length FROM upload_chunks
      WHERE organization_id = $1 AND checksum = ANY ($2::bytea[])`,
    [organizationId, checksums],
  );
  return new Map(rows.map(({ checksum, length }) => [checksum.toString('hex'), length]));
}

/** A part of a chunk that has arrived. */
export interface ChunkPart {
  /** SHA-1 of the chunk. */
  checksum: Buffer;
  start: number;
  length: number;
}

/** The bytes of a part of a chunk; null: the chunk is gone. */
export async function findChunkPart(
  database: Queryable,
  organizationId: string,
  { checksum, start, length }: ChunkPart,
): Promise<Buffer | null> {
  const { rows } = await database.query<{ bytes: Buffer }>(
    `SELECT substr(bytes, $3::integer + 1, $4) AS bytes FROM upload_chunks
      WHERE organization_id = $1 AND checksum = $2`,
    [organizationId, checksum, start, length],
  );
  return rows[0]?.bytes ?? null;
}

export async function deleteChunks(
  database: Queryable,
  organizationId: string,
  checksums: readonly Buffer[],
): Promise<void> {
  await database.query(
    'DELETE FROM upload_chunks WHERE organization_id = $1 AND checksum = ANY ($2::bytea[])',
    [organizationId, checksums],
  );
}

/** Marks the maps of a bundle as used. @returns false if not all maps of such a bundle are stored */
export async function updateBundleUse(
  database: Queryable,
  organizationId: string,
  { projectId, checksum, now }: { projectId: string; checksum: Buffer; now: Date },
): Promise<boolean> {
  const { rows } = await database.query(
    `WITH bundle AS (
        SELECT debug_ids FROM source_map_bundles WHERE ${LIVE_PROJECTS} AND project_id = $2 AND checksum = $3
      ), used AS (
        UPDATE source_maps SET used_at = greatest(used_at, $4)
        WHERE project_id = $2 AND debug_id IN (SELECT unnest(debug_ids) FROM bundle)
      )
      SELECT FROM bundle`,
    [organizationId, projectId, checksum, now],
  );
  return rows.length === 1;
}

export interface SourceMapRow {
  projectId: string;
  debugId: string;
  checksum: Buffer;
  isDeflated: boolean;
  packedBytes: number;
  usedAt: Date;
}

/**
 * Inserts a map without its pieces, in place of another one of its debug id, whose bundles are forgotten. Waits for a
 * transaction that stores one of the same debug id.
 * @returns false if the same map is stored
 */
export async function upsertSourceMap(database: Queryable, map: SourceMapRow): Promise<boolean> {
  const { rows } = await database.query<{ isSame: boolean }>(
    `UPDATE source_maps SET used_at = greatest(used_at, $4)
      WHERE project_id = $1 AND debug_id = $2 AND checksum = $3 RETURNING true AS "isSame"`,
    [map.projectId, map.debugId, map.checksum, map.usedAt],
  );
  if (rows.length > 0) return false;
  const replaced = await database.query(`DELETE FROM source_maps WHERE project_id = $1 AND debug_id = $2`, [
    map.projectId,
    map.debugId,
  ]);
  if (replaced.rowCount) await deleteBundlesOf(database, map.projectId, [map.debugId]);
  const inserted = await database.query(
    `INSERT INTO source_maps (project_id, debug_id, checksum, is_deflated, packed_bytes, used_at)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [map.projectId, map.debugId, map.checksum, map.isDeflated, map.packedBytes, map.usedAt],
  );
  // Another one was committed meanwhile.
  return inserted.rowCount === 1 || upsertSourceMap(database, map);
}

/** Inserts a piece of a map. @returns false if its chunk is gone */
export async function insertPiece(
  database: Queryable,
  organizationId: string,
  { projectId, debugId, number }: Pick<SourceMapRow, 'projectId' | 'debugId'> & { number: number },
  { checksum, start, length }: ChunkPart,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `INSERT INTO source_map_pieces (project_id, debug_id, number, bytes)
      SELECT $2, $3, $4, substr(bytes, $6::integer + 1, $7) FROM upload_chunks
      WHERE organization_id = $1 AND checksum = $5`,
    [organizationId, projectId, debugId, number, checksum, start, length],
  );
  return rowCount === 1;
}

export async function upsertBundle(
  database: Queryable,
  projectId: string,
  bundle: { checksum: Buffer; debugIds: readonly string[]; now: Date },
): Promise<void> {
  await database.query(
    `WITH surplus AS (
        DELETE FROM source_map_bundles WHERE project_id = $1 AND checksum IN (
          SELECT checksum FROM source_map_bundles WHERE project_id = $1 AND checksum <> $2
          ORDER BY assembled_at DESC, checksum OFFSET ${MAX_BUNDLES - 1})
      )
      INSERT INTO source_map_bundles (project_id, checksum, debug_ids, assembled_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (project_id, checksum) DO UPDATE
        SET debug_ids = excluded.debug_ids, assembled_at = excluded.assembled_at`,
    [projectId, bundle.checksum, bundle.debugIds, bundle.now],
  );
}

/** Deletes the maps of a project beyond its limits, those used longest ago; the caller has locked the project. */
export async function deleteSurplusMaps(
  database: Queryable,
  projectId: string,
  { maxBytes = MAX_PROJECT_BYTES, maxMaps = MAX_PROJECT_MAPS } = {},
): Promise<void> {
  const { rows } = await database.query<{ debugId: string }>(
    `DELETE FROM source_maps WHERE project_id = $1 AND debug_id IN (
        SELECT debug_id FROM (
          SELECT debug_id, sum(packed_bytes) OVER newest AS bytes, row_number() OVER newest AS number
          FROM source_maps WHERE project_id = $1 WINDOW newest AS (ORDER BY used_at DESC, debug_id)
        ) AS ordered WHERE bytes > $2 OR number > $3)
      RETURNING debug_id AS "debugId"`,
    [projectId, maxBytes, maxMaps],
  );
  await deleteBundlesOf(
    database,
    projectId,
    rows.map(({ debugId }) => debugId),
  );
}

/** Forgets the bundles that have one of these maps: another upload of them stores the map again. */
async function deleteBundlesOf(
  database: Queryable,
  projectId: string,
  debugIds: readonly string[],
): Promise<void> {
  if (debugIds.length === 0) return;
  await database.query('DELETE FROM source_map_bundles WHERE project_id = $1 AND debug_ids && $2::uuid[]', [
    projectId,
    debugIds,
  ]);
}

import type { Queryable } from '../database/database.ts';
import { deleteChunk } from '../database/retention-queries.ts';

/** Maximum rows of a statement: chunks, or maps with up to 32 MiB of pieces. */
const MAX_ROWS = 20;

/**
 * Deletes some of the maps that were last used before a time, and forgets their bundles.
 * @returns true if there may be more
 */
export async function deleteMapsUnusedSince(database: Queryable, before: Date): Promise<boolean> {
  const { rows } = await database.query<{ deleted: number }>(
    `WITH unused AS (
        DELETE FROM source_maps WHERE (project_id, debug_id) IN (
          SELECT project_id, debug_id FROM source_maps WHERE used_at < $1 LIMIT ${MAX_ROWS})
        -- Again, for one whose use was noted meanwhile.
        AND used_at < $1
        RETURNING project_id, debug_id
      ), forgotten AS (
        DELETE FROM source_map_bundles AS bundle USING unused
        WHERE bundle.project_id = unused.project_id AND unused.debug_id = ANY (bundle.debug_ids)
      )
      SELECT count(*) AS deleted FROM unused`,
    [before],
  );
  return rows[0]?.deleted === MAX_ROWS;
}

/** Deletes some of the chunks that were uploaded before a time. @returns true if there may be more */
export async function deleteChunksBefore(database: Queryable, before: Date): Promise<boolean> {
  return (await deleteChunk(database, ['upload_chunks', 'uploaded_at < $1'], before, MAX_ROWS)) === MAX_ROWS;
}

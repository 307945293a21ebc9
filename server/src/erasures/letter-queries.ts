import type { Queryable } from '../database/database.ts';

interface ReadLetter {
  id: string;
  event: string;
  /** Number of events in it. */
  events: number;
}

/** Dead letters of a project after an id that contain a text, in the order of their ids. */
export async function listDeadLettersWith(
  database: Queryable,
  projectId: string,
  { text, afterId, limit }: { text: string; afterId: string; limit: number },
): Promise<ReadLetter[]> {
  const { rows } = await database.query<ReadLetter>(
    `SELECT id, event, events FROM dead_letters WHERE project_id = $1 AND id > $3 AND strpos(event, $2) > 0
      ORDER BY id LIMIT $4`,
    [projectId, text, afterId, limit],
  );
  return rows;
}

/** Deletes dead letters of a project. @returns the number of their events */
export async function deleteErasedDeadLetters(
  transaction: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await transaction.query<{ count: number }>(
    `WITH removed AS (
        DELETE FROM dead_letters WHERE project_id = $1 AND id = ANY ($2::uuid[]) RETURNING events
      )
      SELECT coalesce(sum(events), 0)::bigint AS count FROM removed`,
    [projectId, ids],
  );
  return rows[0]?.count ?? 0;
}

import type { Queryable } from '../../database/database.ts';
import { deleteChunk } from '../../database/retention-queries.ts';
import type { ScrubChoices, ScrubCounts } from '../../scrubbing/schema.ts';

/** Lists what projects of all organizations chose about secrets, without those that chose nothing. */
export async function listScrubChoices(
  database: Queryable,
): Promise<{ projectId: string; scrubbing: ScrubChoices }[]> {
  const { rows } = await database.query<{ projectId: string; scrubbing: ScrubChoices }>({
    name: 'list-scrub-choices',
    text: `SELECT id AS "projectId", scrubbing FROM projects
      WHERE scrubbing <> '{"off": [], "safe": [], "names": [], "personal": []}' AND deleted_at IS NULL`,
  });
  return rows;
}

/** Adds to the counts of projects that are not deleted. Not by organization: the projects are those of valid keys. */
export async function addScrubbedValues(
  database: Queryable,
  counts: ReadonlyMap<string, ScrubCounts>,
): Promise<void> {
  const rows = [...counts].flatMap(([projectId, some]) =>
    Object.entries(some).map(([rule, count]) => ({ projectId, rule, count })),
  );
  await database.query(
    `WITH live AS (
        SELECT id FROM projects WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE
      )
      INSERT INTO scrubbed_values AS v (project_id, day, rule, quantity)
        SELECT n.project_id, date_trunc('day', now(), 'UTC'), n.rule, n.quantity
        FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS n (project_id, rule, quantity)
        JOIN live ON live.id = n.project_id ORDER BY 1, 2, 3
      ON CONFLICT (project_id, day, rule) DO UPDATE SET quantity = v.quantity + excluded.quantity`,
    [rows.map(({ projectId }) => projectId), rows.map(({ rule }) => rule), rows.map(({ count }) => count)],
  );
}

/** Deletes counts of before a time, and those that a clock which was ahead has dated in the future. */
export function deleteScrubbedBefore(database: Queryable, before: Date, limit: number): Promise<number> {
  const condition = `(day < $1 OR day > now() + interval '1 hour')`;
  return deleteChunk(database, ['scrubbed_values', condition], before, limit);
}

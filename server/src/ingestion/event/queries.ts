import type { Queryable } from '../../database/database.ts';
import type { ScrubChoices } from '../../scrubbing/schema.ts';

/** Lists what projects of all organizations chose about secrets, without those that chose nothing. */
export async function listScrubChoices(
  database: Queryable,
): Promise<{ projectId: string; scrubbing: ScrubChoices }[]> {
  const { rows } = await database.query<{ projectId: string; scrubbing: ScrubChoices }>({
    name: 'list-scrub-choices',
    text: `SELECT id AS "projectId", scrubbing FROM projects
      WHERE scrubbing <> '{"off": [], "names": []}' AND deleted_at IS NULL`,
  });
  return rows;
}

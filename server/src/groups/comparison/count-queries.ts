import type { Queryable } from '../../database/database.ts';
import { FIXED_NUMBERS } from '../../environments/numbers.ts';

/** Ids of all groups that have had events of a release, merged ones as their heads. @param projectId project that was checked before */
export async function listGroupsOfRelease(
  database: Queryable,
  projectId: string,
  version: string,
): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT DISTINCT coalesce(g.merged_into, g.id) AS id
      FROM group_releases AS named JOIN groups AS g ON g.id = named.group_id
      WHERE named.project_id = $1 AND named.release = $2`,
    [projectId, version],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface ComparedEnvironment {
  /** Number that no event has if the environment is unknown. */
  number: number;
  isWatched: boolean;
}

const NO_SUCH_NUMBER = -1;

/** @param projectId project that was checked before */
export async function findEnvironment(
  database: Queryable,
  projectId: string,
  name: string,
): Promise<ComparedEnvironment> {
  const { rows } = await database.query<ComparedEnvironment>(
    'SELECT number, is_watched AS "isWatched" FROM environments WHERE project_id = $1 AND name = $2',
    [projectId, name],
  );
  const number = FIXED_NUMBERS.get(name) ?? rows[0]?.number ?? NO_SUCH_NUMBER;
  return { number, isWatched: rows[0]?.isWatched ?? true };
}

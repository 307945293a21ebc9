import type { Queryable } from '../database/database.ts';
import { FIRST_NAMED, LAST_NAMED, numberOf, OTHER } from './numbers.ts';

export interface ProjectEnvironment {
  projectId: string;
  /** Folded name. */
  name: string;
}

/**
 * Gives numbers to environments that have none yet, while no other transaction does so for their projects. Watched are
 * the project's own and those that are none of the three environments of projects.
 */
export async function insertEnvironments(
  transaction: Queryable,
  environments: readonly ProjectEnvironment[],
): Promise<void> {
  await transaction.query('SELECT FROM projects WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [
    environments.map(({ projectId }) => projectId),
  ]);
  await transaction.query(
    `INSERT INTO environments (project_id, number, name, is_watched)
      SELECT project_id, number, name, number NOT BETWEEN 1 AND 3 OR number = own FROM (
        SELECT project_id, name, own, coalesce(fixed, greatest(${FIRST_NAMED - 1}, (
            SELECT max(number) FROM environments AS e WHERE e.project_id = wanted.project_id
          )) + row_number() OVER (PARTITION BY project_id, fixed IS NULL ORDER BY name)) AS number
        FROM (
          SELECT DISTINCT p.id AS project_id, named.name, ${numberOf('p.environment')} AS own,
            CASE named.name WHEN '${OTHER.name}' THEN ${OTHER.number} ELSE array_position(enum_range(NULL::environment)::text[], named.name) END AS fixed
          FROM unnest($1::uuid[], $2::text[]) AS named (project_id, name) JOIN projects AS p ON p.id = named.project_id
          WHERE NOT EXISTS (SELECT FROM environments AS e WHERE e.project_id = p.id AND e.name = named.name)
        ) AS wanted
      ) AS numbered WHERE number <= ${LAST_NAMED}`,
    [environments.map(({ projectId }) => projectId), environments.map(({ name }) => name)],
  );
}

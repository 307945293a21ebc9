import type { Queryable } from '../database/database.ts';
import { MAJORITY_SHARE } from './limits.ts';
import { FIRST_NAMED, LAST_NAMED, numberOf, numberOfName, OTHER, unwatchedOf } from './numbers.ts';
import type { ProjectEnvironment } from './schema.ts';

export interface NamedEnvironment {
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
  environments: readonly NamedEnvironment[],
): Promise<void> {
  await transaction.query('SELECT FROM projects WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [
    environments.map(({ projectId }) => projectId),
  ]);
  await transaction.query(
    `WITH numbered AS (
        SELECT project_id, name, own, coalesce(fixed, greatest(${FIRST_NAMED - 1}, (
            SELECT max(number) FROM environments AS e WHERE e.project_id = wanted.project_id
          )) + row_number() OVER (PARTITION BY project_id, fixed IS NULL ORDER BY name)) AS number
        FROM (
          SELECT DISTINCT p.id AS project_id, named.name, ${numberOf('p.environment')} AS own,
            CASE named.name WHEN '${OTHER.name}' THEN ${OTHER.number} ELSE array_position(enum_range(NULL::environment)::text[], named.name) END AS fixed
          FROM unnest($1::uuid[], $2::text[]) AS named (project_id, name) JOIN projects AS p ON p.id = named.project_id
          WHERE NOT EXISTS (SELECT FROM environments AS e WHERE e.project_id = p.id AND e.name = named.name)
        ) AS wanted
      )
      INSERT INTO environments (project_id, number, name, is_watched)
      SELECT project_id, number, name, number NOT BETWEEN 1 AND 3 OR number = own FROM numbered WHERE number <= ${LAST_NAMED}
      UNION SELECT project_id, ${OTHER.number}, '${OTHER.name}', true FROM numbered WHERE number = ${LAST_NAMED}
      ON CONFLICT DO NOTHING`,
    [environments.map(({ projectId }) => projectId), environments.map(({ name }) => name)],
  );
}

/** The project's own first, each with the number of its events since a time. */
export async function listEnvironments(
  database: Queryable,
  organizationId: string,
  projectId: string,
  since: Date,
): Promise<(Omit<ProjectEnvironment, 'eventsLastHour'> & { events: number })[]> {
  const { rows } = await database.query<Omit<ProjectEnvironment, 'eventsLastHour'> & { events: number }>(
    `SELECT coalesce(e.name, own.name) AS name, coalesce(e.is_watched, true) AS "isWatched",
        own.name IS NOT NULL AS "isOwn", coalesce(counted.events, 0) AS events
      FROM (
        SELECT environment::text AS name, ${numberOf('environment')} AS number FROM projects
        WHERE organization_id = $1 AND id = $2
      ) AS own
      FULL JOIN (SELECT * FROM environments WHERE project_id = $2) AS e ON e.name = own.name
      LEFT JOIN (
        SELECT environment, sum(count)::bigint AS events FROM event_counts
        WHERE organization_id = $1 AND project_id = $2 AND minute > $3 GROUP BY 1
      ) AS counted ON counted.environment = coalesce(e.number, own.number)
      ORDER BY "isOwn" DESC, e.number = ${OTHER.number}, e.number`,
    [organizationId, projectId, since],
  );
  return rows;
}

/** Inserts the project's own environment, if no event has named it yet. */
export async function upsertWatched(
  database: Queryable,
  organizationId: string,
  { projectId, name, isWatched }: NamedEnvironment & { isWatched: boolean },
): Promise<void> {
  await database.query(
    `INSERT INTO environments (project_id, number, name, is_watched)
      SELECT id, ${numberOf('environment')}, $3, $4 FROM projects WHERE organization_id = $1 AND id = $2
      ON CONFLICT (project_id, name) DO UPDATE SET is_watched = excluded.is_watched, is_announced = false`,
    [organizationId, projectId, name, isWatched],
  );
}

/**
 * Names whose environments open nothing; null stands for the environment of the project. By a project that was checked
 * before: of a stored notification.
 */
export async function listUnwatchedNames(
  database: Queryable,
  projectId: string,
  names: readonly (string | null)[],
): Promise<Set<string | null>> {
  const { rows } = await database.query<{ name: string | null }>(
    `SELECT named.name FROM unnest($2::text[]) AS named (name) JOIN projects AS p ON p.id = $1
        CROSS JOIN (SELECT jsonb_object_agg(name, number) AS numbers FROM environments WHERE project_id = $1) AS given
      WHERE CASE WHEN named.name IS NULL THEN ${numberOf('p.environment')}
        ELSE ${numberOfName('named.name', 'given.numbers')} END = ANY (${unwatchedOf('p.id')})`,
    [projectId, names],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Environment that nearly all events of a project come from, though it is not watched. */
export interface UnwatchedMajority {
  organizationId: string;
  organizationName: string;
  projectId: string;
  projectName: string;
  environment: string;
  number: number;
}

/** Minimum span of its events in the hour: that of a burst says nothing about an hour. */
const MIN_SPAN = "interval '50 minutes'";

/** Locks environments that have not been announced, and leaves out what another worker has locked. */
export async function lockUnwatchedMajorities(
  transaction: Queryable,
  { since, until }: { since: Date; until: Date },
  limit: number,
): Promise<UnwatchedMajority[]> {
  const { rows } = await transaction.query<UnwatchedMajority>(
    `SELECT p.organization_id AS "organizationId", o.name AS "organizationName", p.id AS "projectId",
        p.name AS "projectName", e.name AS environment, e.number
      FROM environments AS e JOIN projects AS p ON p.id = e.project_id AND p.deleted_at IS NULL
      JOIN organizations AS o ON o.id = p.organization_id
      CROSS JOIN LATERAL (
        SELECT sum(count) AS all_events, sum(count) FILTER (WHERE environment = e.number) AS events,
          max(minute) FILTER (WHERE environment = e.number) - min(minute) FILTER (WHERE environment = e.number) AS span
        FROM event_counts
        WHERE organization_id = p.organization_id AND project_id = p.id AND minute > $1 AND minute <= $2
      ) AS counted
      WHERE NOT e.is_watched AND NOT e.is_announced AND events > ${MAJORITY_SHARE} * all_events AND span >= ${MIN_SPAN}
      ORDER BY p.id LIMIT $3 FOR UPDATE OF e SKIP LOCKED FOR KEY SHARE OF p SKIP LOCKED`,
    [since, until, limit],
  );
  return rows;
}

export async function updateAnnounced(
  database: Queryable,
  organizationId: string,
  { projectId, number }: { projectId: string; number: number },
): Promise<void> {
  await database.query(
    `UPDATE environments AS e SET is_announced = true FROM projects AS p
      WHERE p.organization_id = $1 AND p.id = $2 AND e.project_id = p.id AND e.number = $3`,
    [organizationId, projectId, number],
  );
}

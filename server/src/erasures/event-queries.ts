import type { Queryable } from '../database/database.ts';
import { compared } from '../events/event-keys.ts';
import { endOfWeek } from '../events/weeks.ts';
import { all, bind, pairWhere } from '../events/where.ts';
import { uuidLowerBound } from '../platform/ids.ts';

/** Subject of an erasure: a value of correlations, in projects of an organization. */
export interface ErasedSubject {
  organizationId: string;
  projectIds: readonly string[];
  /** Null: any key. */
  key: string | null;
  value: string;
}

/**
 * Events of a subject, by the index of the values of correlations. The organization and the projects are compared in a form
 * that no index serves: by time, all events of a project would be read for those of one value.
 */
function eventsOf({ organizationId, projectIds, key, value }: ErasedSubject, values: unknown[]): string[] {
  return [
    pairWhere({ key, value }, values),
    compared(`organization_id = ${bind(values, organizationId)}`),
    compared(`project_id = ANY (${bind(values, projectIds)}::uuid[])`),
  ];
}

/** Events of a subject within a week, at most `limit`, each with its project. */
export async function listErasableEvents(
  database: Queryable,
  subject: ErasedSubject,
  weekMs: number,
  limit: number,
): Promise<{ id: string; projectId: string }[]> {
  const values: unknown[] = [];
  const where = [
    ...eventsOf(subject, values),
    `id >= ${bind(values, uuidLowerBound(weekMs))}`,
    `id < ${bind(values, uuidLowerBound(endOfWeek(weekMs)))}`,
  ];
  const { rows } = await database.query<{ id: string; projectId: string }>(
    `SELECT id, project_id AS "projectId" FROM events WHERE ${all(where)} LIMIT ${bind(values, limit)}`,
    values,
  );
  return rows;
}

/** Counts the events of a subject, up to a limit. */
export async function countErasableEvents(
  database: Queryable,
  subject: ErasedSubject,
  limit: number,
): Promise<number> {
  const values: unknown[] = [];
  const where = all(eventsOf(subject, values));
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT FROM events WHERE ${where} LIMIT ${bind(values, limit)}) AS found`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Deletes events of a project, and moves them in its ledger from `stored` to `erased`.
 * @param ids ids of events of one week
 * @returns how many of them were still there
 */
export async function deleteErasedEvents(
  database: Queryable,
  projectId: string,
  ids: readonly string[],
  weekMs: number,
): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `WITH removed AS (
        DELETE FROM events WHERE id = ANY ($2::uuid[]) AND project_id = $1 AND id >= $3 AND id < $4 RETURNING id
      ), ledger AS (
        UPDATE ledgers SET stored = stored - (SELECT count(*) FROM removed), erased = erased + (SELECT count(*) FROM removed)
        WHERE project_id = $1
      )
      SELECT count(*) AS count FROM removed`,
    [projectId, ids, uuidLowerBound(weekMs), uuidLowerBound(endOfWeek(weekMs))],
  );
  return rows[0]?.count ?? 0;
}

/** Dead letters of a project after an id that contain a text, in the order of their ids. */
export async function listDeadLettersWith(
  database: Queryable,
  projectId: string,
  { text, afterId, limit }: { text: string; afterId: string; limit: number },
): Promise<{ id: string; event: string }[]> {
  const { rows } = await database.query<{ id: string; event: string }>(
    `SELECT id, event FROM dead_letters WHERE project_id = $1 AND id > $3 AND strpos(event, $2) > 0
      ORDER BY id LIMIT $4`,
    [projectId, text, afterId, limit],
  );
  return rows;
}

/** Deletes dead letters of a project, and moves them in its ledger from `dead` to `erased`. @returns how many */
export async function deleteErasedDeadLetters(
  database: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `WITH removed AS (
        DELETE FROM dead_letters WHERE project_id = $1 AND id = ANY ($2::uuid[]) RETURNING events
      ), counted AS (
        SELECT coalesce(sum(events), 0)::bigint AS count FROM removed
      ), ledger AS (
        UPDATE ledgers SET dead = dead - (SELECT count FROM counted), erased = erased + (SELECT count FROM counted)
        WHERE project_id = $1
      )
      SELECT count FROM counted`,
    [projectId, ids],
  );
  return rows[0]?.count ?? 0;
}

/** Counts the dead letters of projects that contain a text. */
export async function countDeadLettersWith(
  database: Queryable,
  projectIds: readonly string[],
  text: string,
): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT coalesce(sum(events), 0)::bigint AS count FROM dead_letters
      WHERE project_id = ANY ($1::uuid[]) AND strpos(event, $2) > 0`,
    [projectIds, text],
  );
  return rows[0]?.count ?? 0;
}

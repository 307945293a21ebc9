import type { Queryable } from '../../database/database.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { compared } from '../event-keys.ts';
import { endOfWeek } from '../weeks.ts';
import { all, bind, indexedPairWhere, pairWhere } from '../where.ts';

/** Subject of an erasure: a value of correlations, in projects of an organization. */
export interface ErasedSubject {
  organizationId: string;
  projectIds: readonly string[];
  /** Null: the value under every key. */
  key: string | null;
  value: string;
}

/**
 * Events of a subject with the organization in `$1`, by the index of the values of correlations. The projects are compared in a
 * form that no index serves: by time, all events of a project would be read for those of one value.
 */
function eventsOf({ projectIds, key, value }: ErasedSubject, values: unknown[]): string[] {
  return [
    indexedPairWhere({ key, value }, values),
    compared('organization_id = $1'),
    // One may have been deleted since: nothing is erased there, so that its events would be found again and again.
    compared(`project_id = ANY (ARRAY(
      SELECT id FROM projects WHERE id = ANY (${bind(values, projectIds)}::uuid[]) AND deleted_at IS NULL))`),
  ];
}

/** Event of a subject, with its project. */
export interface ErasableEvent {
  id: string;
  projectId: string;
}

/** Ids from one to before another, within a week. */
export interface IdRange {
  fromId: string;
  beforeId: string;
}

/** Limits the time of each further statement of the transaction. */
export async function setSearchLimit(transaction: Queryable, limitMs: number): Promise<void> {
  await transaction.query(`SELECT set_config('statement_timeout', $1, true)`, [`${limitMs}ms`]);
}

/** Events of a subject in a range, at most `limit`, by the index of values: slow for a value that many events have. */
export async function listErasableEvents(
  database: Queryable,
  subject: ErasedSubject,
  { fromId, beforeId }: IdRange,
  limit: number,
): Promise<ErasableEvent[]> {
  const values: unknown[] = [subject.organizationId];
  const where = [
    ...eventsOf(subject, values),
    `id >= ${bind(values, fromId)}`,
    `id < ${bind(values, beforeId)}`,
  ];
  const { rows } = await database.query<ErasableEvent>(
    `SELECT id, project_id AS "projectId" FROM events WHERE ${all(where)} LIMIT ${bind(values, limit)}`,
    values,
  );
  return rows;
}

/**
 * Events of a subject among the newest `limit` of its project, or of its organization, in a range. Reads nothing of others.
 * @returns the last id that was scanned as well; null: the range has no further ones
 */
export async function listScannedEvents(
  database: Queryable,
  { organizationId, projectIds, key, value }: ErasedSubject,
  { fromId, beforeId }: IdRange,
  limit: number,
): Promise<{ found: ErasableEvent[]; lastId: string | null }> {
  const values: unknown[] = [fromId, beforeId, limit, projectIds];
  const [projectId, ...others] = projectIds;
  const ofSubject =
    projectId !== undefined && others.length === 0
      ? `project_id = ${bind(values, projectId)}`
      : `organization_id = ${bind(values, organizationId)}`;
  const { rows } = await database.query<{ found: ErasableEvent[] | null; lastId: string | null }>(
    `WITH scanned AS MATERIALIZED (
        SELECT id, project_id, project_id = ANY ($4::uuid[]) AND ${pairWhere({ key, value }, values)} AS found FROM events
        WHERE ${ofSubject} AND id >= $1 AND id < $2 ORDER BY id DESC LIMIT $3
      )
      SELECT (SELECT jsonb_agg(jsonb_build_object('id', id, 'projectId', project_id)) FROM scanned WHERE found) AS found,
        (SELECT id FROM scanned ORDER BY id DESC OFFSET $3 - 1 LIMIT 1) AS "lastId"`,
    values,
  );
  return { found: rows[0]?.found ?? [], lastId: rows[0]?.lastId ?? null };
}

/** Counts the events of a subject, up to a limit. */
export async function countErasableEvents(
  database: Queryable,
  subject: ErasedSubject,
  limit: number,
): Promise<number> {
  const values: unknown[] = [subject.organizationId];
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

import type { Queryable } from '../database/database.ts';
import { LIVENESS_TOLERANCE_MS, MAX_LOSS_MS } from '../queue/liveness-queries.ts';
import type { ErasureRow, UnreachedPlace } from './schema.ts';

const COLUMNS = `e.id, e.organization_id AS "organizationId", e.project_id AS "projectId", e.key, e.value,
  e.value_hash AS "valueHash", e.state, e.events, e.dead_letters AS "deadLetters", e.texts, e.unreached,
  e.created_at AS "createdAt", e.created_by AS "createdBy", (SELECT name FROM users WHERE id = e.created_by) AS "byName",
  e.finished_at AS "finishedAt"`;

/** Erasures of all projects, or of a live one. */
const IS_LIVE = `(e.project_id IS NULL OR e.project_id IN (
  SELECT id FROM projects WHERE organization_id = $1 AND deleted_at IS NULL))`;

/** Newest first; one more than `limit`, so that the caller knows if there is a next page. */
export async function listErasures(
  database: Queryable,
  organizationId: string,
  { projectId, cursor, limit }: { projectId: string | null; cursor: string | null; limit: number },
): Promise<ErasureRow[]> {
  const { rows } = await database.query<ErasureRow>(
    `SELECT ${COLUMNS} FROM erasures e
      WHERE e.organization_id = $1 AND ${IS_LIVE} AND ($2::uuid IS NULL OR e.project_id IS NULL OR e.project_id = $2)
        AND ($3::uuid IS NULL OR e.id < $3)
      ORDER BY e.id DESC LIMIT $4 + 1`,
    [organizationId, projectId, cursor, limit],
  );
  return rows;
}

export async function findErasure(
  database: Queryable,
  organizationId: string,
  erasureId: string,
): Promise<ErasureRow | null> {
  const { rows } = await database.query<ErasureRow>(
    `SELECT ${COLUMNS} FROM erasures e WHERE e.organization_id = $1 AND e.id = $2 AND ${IS_LIVE}`,
    [organizationId, erasureId],
  );
  return rows[0] ?? null;
}

export async function countUnfinishedErasures(database: Queryable, organizationId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(*) AS count FROM erasures WHERE organization_id = $1 AND finished_at IS NULL',
    [organizationId],
  );
  return rows[0]?.count ?? 0;
}

export async function insertErasure(
  database: Queryable,
  erasure: Pick<
    ErasureRow,
    'id' | 'organizationId' | 'projectId' | 'key' | 'value' | 'valueHash' | 'createdBy' | 'createdAt'
  >,
): Promise<void> {
  await database.query(
    `INSERT INTO erasures (id, organization_id, project_id, key, value, value_hash, created_by, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      erasure.id,
      erasure.organizationId,
      erasure.projectId,
      erasure.key,
      erasure.value,
      erasure.valueHash,
      erasure.createdBy,
      erasure.createdAt,
    ],
  );
}

/** An erasure in progress, with the projects that it is about, those that are deleted left out. */
export interface UnfinishedErasure {
  id: string;
  organizationId: string;
  projectId: string | null;
  projectIds: string[];
  key: string | null;
  value: string;
  /** Id from which on its events are deleted; null: none are. UUID. */
  erasedFrom: string | null;
}

/** The next erasure that is not done, in the order of their ids after one, and then from the beginning. */
export async function findUnfinishedErasure(
  database: Queryable,
  afterId: string,
): Promise<UnfinishedErasure | null> {
  const { rows } = await database.query<UnfinishedErasure>({
    name: 'find-unfinished-erasure',
    text: `SELECT id, organization_id AS "organizationId", project_id AS "projectId", key, value,
        erased_from AS "erasedFrom", ARRAY(
          SELECT p.id FROM projects p WHERE p.organization_id = e.organization_id AND p.deleted_at IS NULL
            AND (e.project_id IS NULL OR p.id = e.project_id) ORDER BY p.id
        ) AS "projectIds"
      FROM erasures e WHERE finished_at IS NULL ORDER BY id <= $1, id LIMIT 1`,
    values: [afterId],
  });
  return rows[0] ?? null;
}

/**
 * Sets, once, the moment and the last row of the queue up to which an erasure covers what was accepted; again if the moment
 * is ahead, since the clock was set back: no report of a process would come after it.
 */
export async function updateErasureCover(database: Queryable, erasureId: string): Promise<void> {
  await database.query(
    `UPDATE erasures SET queue_id = (SELECT coalesce(max(id), 0) FROM queue), covered_until = clock_timestamp()
      WHERE id = $1 AND (queue_id IS NULL OR covered_until > clock_timestamp())`,
    [erasureId],
  );
}

/** The moment up to which an erasure covers what was accepted, by the database's clock; null: none is set. */
export async function findCover(database: Queryable, erasureId: string): Promise<Date | null> {
  const { rows } = await database.query<{ until: Date | null }>(
    'SELECT covered_until AS until FROM erasures WHERE id = $1',
    [erasureId],
  );
  return rows[0]?.until ?? null;
}

/** SQL: the last report of each process that accepts events; -infinity: it has ended. */
const LAST_REPORTS = `SELECT DISTINCT ON (process_id) until, told_at, on_disk FROM intake_presence
      ORDER BY process_id, told_at = '-infinity' DESC, told_at DESC, since DESC`;

/**
 * True if what an erasure covers may not be stored yet: a batch waits in the queue, events wait on the disk of a process,
 * or a process has lost the database, or has ended with events on its disk, and another may soon bring them. The halves of a
 * batch that was split keep its time; a batch that waited on disk has none, and counts whenever it came.
 */
export async function isErasureWaiting(database: Queryable, erasure: UnfinishedErasure): Promise<boolean> {
  const { rows } = await database.query<{ isWaiting: boolean }>(
    `SELECT EXISTS (SELECT FROM queue WHERE id <= e.queue_id OR accepted_at <= e.covered_until
            OR is_spooled AND deltas ?| $2::text[])
        OR EXISTS (
          SELECT FROM (${LAST_REPORTS}) AS report
          WHERE CASE WHEN told_at = '-infinity' THEN until ELSE told_at END
              > clock_timestamp() - make_interval(secs => $3::float8 / 1000)
            AND (told_at > '-infinity' AND told_at <= e.covered_until OR on_disk ?| $2::text[])
        ) AS "isWaiting"
      FROM erasures e WHERE id = $1`,
    [erasure.id, erasure.projectIds, MAX_LOSS_MS],
  );
  return rows[0]?.isWaiting ?? false;
}

/**
 * True if a process may have events of an erasure on its disk: it has not reported since the erasure began, or has ended and
 * left some.
 */
export async function isProcessMissing(
  database: Queryable,
  { id, projectIds }: UnfinishedErasure,
): Promise<boolean> {
  const { rows } = await database.query<{ isMissing: boolean }>(
    `SELECT EXISTS (
          SELECT FROM (${LAST_REPORTS}) AS report
          WHERE CASE WHEN told_at = '-infinity' THEN on_disk ?| $3::text[]
            ELSE told_at <= e.covered_until
              AND told_at < clock_timestamp() - make_interval(secs => $2::float8 / 1000) END
        ) AS "isMissing"
      FROM erasures e WHERE id = $1`,
    [id, LIVENESS_TOLERANCE_MS, projectIds],
  );
  return rows[0]?.isMissing ?? false;
}

/** Counts what a step of an erasure has done, in the transaction that did it. */
export async function addToErasure(
  database: Queryable,
  erasureId: string,
  { events = 0, deadLetters = 0, texts = 0 }: Partial<Pick<ErasureRow, 'events' | 'deadLetters' | 'texts'>>,
): Promise<void> {
  await database.query(
    `UPDATE erasures SET state = 'erasing', events = events + $2, dead_letters = dead_letters + $3, texts = texts + $4
      WHERE id = $1 AND finished_at IS NULL`,
    [erasureId, events, deadLetters, texts],
  );
}

/** Remembers the id from which on the events of an erasure are deleted, so that another worker continues before it. */
export async function updateErasedFrom(
  database: Queryable,
  erasureId: string,
  erasedFrom: string,
): Promise<void> {
  await database.query('UPDATE erasures SET erased_from = $2 WHERE id = $1 AND finished_at IS NULL', [
    erasureId,
    erasedFrom,
  ]);
}

/** Ends an erasure, and forgets its value. */
export async function updateErasureDone(
  database: Queryable,
  erasureId: string,
  unreached: readonly UnreachedPlace[],
  now: Date,
): Promise<void> {
  await database.query(
    `WITH archived AS (DELETE FROM archive_deletions WHERE erasure_id = $1)
      UPDATE erasures SET state = 'done', value = NULL, unreached = $2, finished_at = $3
      WHERE id = $1 AND finished_at IS NULL`,
    [erasureId, JSON.stringify(unreached), now],
  );
}

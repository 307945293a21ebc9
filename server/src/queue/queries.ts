import type { Queryable } from '../database/database.ts';
import { POSITION } from '../database/position-queries.ts';
import { deleteChunk } from '../database/retention-queries.ts';
import { uuidTime } from '../platform/ids.ts';
import type { Claim } from './queue.ts';

/** Numbers of events that a queue row adds to projects' ledgers: `accepted` includes the repeats. */
export type Deltas = Record<string, { accepted: number; duplicate: number }>;

export interface Batch {
  eventsJson: string;
  deltas: Deltas;
  keyIds: string[];
  /** True if the events waited on disk while the database was lost. */
  isSpooled: boolean;
  /** When it was accepted; absent: now. */
  acceptedAt?: Date;
}

/** Told the position of a commit. */
type NotePosition = (position: number) => void;

interface PositionRow {
  position: number;
}

const RETURNING = ` RETURNING ${POSITION} AS position`;

/** SQL: each of the keys in `$4` is valid at this moment. */
const ALL_VALID = `cardinality($4::uuid[]) = (
        SELECT count(*) FROM api_keys k JOIN projects p ON p.id = k.project_id
        WHERE k.id = ANY ($4) AND p.deleted_at IS NULL)`;

/**
 * Adds a batch, provided that all of its keys are valid at this moment: one statement for both, because a round trip
 * costs more than the query.
 * @param notePosition told the position of the commit, where the statement is one
 * @returns true if the batch was added
 */
export async function insertBatch(
  database: Queryable,
  batch: Batch,
  notePosition: NotePosition | null = null,
): Promise<boolean> {
  const { rows, rowCount } = await database.query<PositionRow>({
    name: notePosition ? 'insert-batch-position' : 'insert-batch',
    text: `INSERT INTO queue (bytes, deltas, events, is_spooled, accepted_at)
      SELECT $1, $2, $3, $5, coalesce($6, now()) WHERE ${ALL_VALID}${notePosition ? RETURNING : ''}`,
    values: [...batchValues(batch), batch.isSpooled, batch.acceptedAt],
  });
  if (rows[0]) notePosition?.(rows[0].position);
  return rowCount === 1;
}

/**
 * As `insertBatch`, with the claims of its items, in the same statement.
 * @returns true if the batch was added; nothing is added if a key is not valid or a claim is held
 * @throws if another transaction won a claim meanwhile, or two are for one key: see `isUniqueViolation`
 */
export async function insertClaimingBatch(
  database: Queryable,
  batch: Omit<Batch, 'isSpooled' | 'acceptedAt'>,
  { claims, now }: { claims: readonly ProjectClaim[]; now: Date },
  notePosition: NotePosition | null,
): Promise<boolean> {
  const { rows, rowCount } = await database.query<PositionRow>({
    name: notePosition ? 'insert-claiming-batch-position' : 'insert-claiming-batch',
    text: `WITH wanted AS MATERIALIZED (
        SELECT * FROM unnest($5::uuid[], $6::text[], $7::uuid[], $8::jsonb[]) AS c (project_id, key, job_id, answer)
      ), admitted AS MATERIALIZED (
        SELECT WHERE ${ALL_VALID} AND NOT EXISTS (
            SELECT FROM wanted w, LATERAL (
              SELECT FROM claims c WHERE c.project_id = w.project_id AND c.key = w.key LIMIT 1) AS held)
      ), claimed AS (
        INSERT INTO claims (project_id, key, job_id, answer, created_at)
          SELECT project_id, key, job_id, answer, $9 FROM wanted WHERE EXISTS (SELECT FROM admitted)
      )
      INSERT INTO queue (bytes, deltas, events) SELECT $1, $2, $3 FROM admitted${notePosition ? RETURNING : ''}`,
    values: [...batchValues(batch), ...claimValues(claims), now],
  });
  if (rows[0]) notePosition?.(rows[0].position);
  return rowCount === 1;
}

export async function listValidKeyIds(database: Queryable, keyIds: string[]): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT k.id FROM api_keys k JOIN projects p ON p.id = k.project_id
      WHERE k.id = ANY ($1) AND p.deleted_at IS NULL`,
    [keyIds],
  );
  return new Set(rows.map((row) => row.id));
}

export interface ProjectClaim extends Claim {
  projectId: string;
}

/**
 * Claims keys that no other claim holds.
 * @returns the job ids of the claims that were won
 */
export async function insertClaims(
  database: Queryable,
  claims: ProjectClaim[],
  now: Date,
): Promise<Set<string>> {
  const { rows } = await database.query<{ jobId: string }>(
    `INSERT INTO claims (project_id, key, job_id, answer, created_at)
      SELECT project_id, key, job_id, answer, $5
      FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::jsonb[]) AS c (project_id, key, job_id, answer)
      ON CONFLICT DO NOTHING RETURNING job_id AS "jobId"`,
    [...claimValues(claims), now],
  );
  return new Set(rows.map((row) => row.jobId));
}

/** The claims that hold these keys. */
export async function findClaims(
  database: Queryable,
  claims: readonly Pick<ProjectClaim, 'projectId' | 'key'>[],
): Promise<ProjectClaim[]> {
  const { rows } = await database.query<ProjectClaim>(
    `SELECT c.project_id AS "projectId", c.key, c.job_id AS "jobId", c.answer FROM claims c
      JOIN unnest($1::uuid[], $2::text[]) AS wanted (project_id, key) USING (project_id, key)`,
    [claims.map((claim) => claim.projectId), claims.map((claim) => claim.key)],
  );
  return rows;
}

export function deleteClaimsBefore(database: Queryable, before: Date, limit: number): Promise<number> {
  return deleteChunk(database, ['claims', 'created_at < $1'], before, limit);
}

export interface Backlog {
  /** Number of waiting batches. */
  batches: number;
  /** Age of the oldest; 0: there is none. */
  ageSeconds: number;
  oldestId: number | null;
}

/** The waiting batches from an id on (0: all of them). */
export async function findBacklog(database: Queryable, fromId: number): Promise<Backlog> {
  const { rows } = await database.query<Backlog>(
    `SELECT count(*) AS batches, min(id) AS "oldestId",
        coalesce(extract(epoch FROM clock_timestamp() - min(accepted_at)), 0)::float8 AS "ageSeconds"
      FROM queue WHERE id >= $1`,
    [fromId],
  );
  return rows[0] ?? { batches: 0, ageSeconds: 0, oldestId: null };
}

/** True if a batch waits that was accepted before a time; the halves of a batch that was split keep its time. */
export async function hasBatchBefore(database: Queryable, before: Date): Promise<boolean> {
  const { rowCount } = await database.query('SELECT FROM queue WHERE accepted_at < $1 LIMIT 1', [before]);
  return rowCount === 1;
}

/** Usual time between an event's capture and its insertion into the queue, in seconds. */
const USUAL_DELAY = { before: 5, after: 60 };
/** Other events are captured 5 minutes after to 7 days before their receipt, with room for clocks that differ. */
const MAX_DELAY = { before: 15 * 60, after: 8 * 24 * 60 * 60 };

/**
 * True if an event of a project is in the queue. The batches are searched as text, which takes seconds if the backlog
 * is long: so batches that were accepted when the event was captured, which its id tells, come first, and those
 * accepted at an impossible time are not searched at all. An event begins with its id. A batch that contains the text
 * is parsed as JSON, since it also has events of other projects, and payloads with any text; `json` reads what
 * `jsonb` refuses.
 */
export async function isQueued(database: Queryable, projectId: string, eventId: string): Promise<boolean> {
  const capturedAt = new Date(uuidTime(eventId));
  for (const { before, after } of [USUAL_DELAY, MAX_DELAY]) {
    const { rowCount } = await database.query(
      `SELECT FROM queue WHERE accepted_at BETWEEN $3::timestamptz - make_interval(secs => $4)
          AND $3::timestamptz + make_interval(secs => $5)
          AND deltas ? $1::text
          AND CASE WHEN strpos(events, $2) > 0 THEN EXISTS (
            SELECT FROM json_array_elements(events::json) AS event
            WHERE event ->> 'id' = $6::text AND event ->> 'projectId' = $1::text) END
        LIMIT 1`,
      [projectId, `{"id":"${eventId}",`, capturedAt, before, after, eventId],
    );
    if (rowCount !== 0) return true;
  }
  return false;
}

function batchValues({
  eventsJson,
  deltas,
  keyIds,
}: Pick<Batch, 'eventsJson' | 'deltas' | 'keyIds'>): unknown[] {
  return [eventsJson.length, JSON.stringify(deltas), eventsJson, keyIds];
}

/** Columns of the claims sorted by key, so that two batches with the same keys do not deadlock. */
function claimValues(claims: readonly ProjectClaim[]): unknown[] {
  const sorted = claims.toSorted((left, right) => compareClaims(left, right));
  return [
    sorted.map((claim) => claim.projectId),
    sorted.map((claim) => claim.key),
    sorted.map((claim) => claim.jobId),
    sorted.map((claim) => (claim.answer === null ? null : JSON.stringify(claim.answer))),
  ];
}

function compareClaims(left: ProjectClaim, right: ProjectClaim): number {
  if (left.projectId !== right.projectId) return left.projectId < right.projectId ? -1 : 1;
  if (left.key === right.key) return 0;
  return left.key < right.key ? -1 : 1;
}

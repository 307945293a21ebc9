import type { Queryable } from '../../database/database.ts';
import { deleteChunk } from '../../database/retention-queries.ts';
import type { RequestSample } from './describe-request.ts';
import type { NamedSender } from './named-sender.ts';

/** Project that a request belongs to. */
export interface Sender {
  projectId: string;
  /** Null: none of its keys is known. */
  keyId: string | null;
  /** False: the request only names the project, without a valid key of it. */
  isAuthenticated: boolean;
}

/** Requests of one sender with the same outcome, since the last write. */
export interface WrittenRequests extends Sender {
  protocol: string;
  reason: string | null;
  quantity: number;
  /** Time since the last one, in milliseconds. */
  ageMs: number;
}

export interface WrittenSample extends Sender, RequestSample {
  protocol: string;
  reason: string | null;
  ageMs: number;
}

/** Maximum samples of a project: of refused requests, of those without a valid key, and of accepted ones. */
const MAX_SAMPLES = { refused: 60, unauthenticated: 20, accepted: 20 };

/**
 * Finds the senders that requests name: by a valid key or address, else by the beginning of a key that one project has or
 * had, else by the number of the project. Null: the request is of no project.
 */
export async function findSenders(
  database: Queryable,
  named: readonly NamedSender[],
): Promise<(Sender | null)[]> {
  const { rows } = await database.query<{ position: number } & Sender>(
    `SELECT n.position::integer AS position, f.project_id AS "projectId", f.key_id AS "keyId",
        f.rank < 3 AS "isAuthenticated"
      FROM unnest($1::bytea[], $2::text[], $3::integer[]) WITH ORDINALITY AS n (hash, prefix, number, position)
      CROSS JOIN LATERAL (
        SELECT found.* FROM (
          SELECT 1 AS rank, k.project_id, k.id AS key_id FROM api_keys k WHERE k.hash = n.hash
          UNION ALL SELECT 2, s.project_id, NULL FROM schedules s WHERE s.ping_hash = n.hash
          UNION ALL SELECT 3, min(project_id::text)::uuid, CASE WHEN count(*) = 1 THEN min(id::text)::uuid END
            FROM (SELECT project_id, id FROM api_keys WHERE prefix = n.prefix
              UNION ALL SELECT project_id, id FROM revoked_keys WHERE prefix = n.prefix) AS begun
            HAVING count(DISTINCT project_id) = 1
          UNION ALL SELECT 4, p.id, NULL FROM projects p WHERE p.number = n.number
        ) AS found JOIN projects p ON p.id = found.project_id AND p.deleted_at IS NULL
        ORDER BY found.rank LIMIT 1
      ) AS f`,
    [named.map(({ hash }) => hash), named.map(({ prefix }) => prefix), named.map(({ number }) => number)],
  );
  const byPosition = new Map(rows.map(({ position, ...sender }) => [position, sender]));
  return named.map((_, index) => byPosition.get(index + 1) ?? null);
}

/** Adds to the counts of projects that are not deleted. Not by organization: the projects are those of `findSenders`. */
export async function addRequests(database: Queryable, requests: readonly WrittenRequests[]): Promise<void> {
  await database.query(
    `WITH live AS (
        SELECT id FROM projects WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE
      )
      INSERT INTO request_counts AS r (project_id, minute, key_id, protocol, reason, quantity, last_at)
        SELECT n.project_id, date_trunc('minute', n.at), n.key_id, n.protocol, n.reason, sum(n.quantity), max(n.at)
        FROM (SELECT *, now() - make_interval(secs => age_ms / 1000) AS at
          FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::float8[])
            AS n (project_id, key_id, protocol, reason, quantity, age_ms)) AS n
        JOIN live ON live.id = n.project_id
        GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT (project_id, minute, key_id, protocol, reason) DO UPDATE SET
        quantity = r.quantity + excluded.quantity, last_at = greatest(r.last_at, excluded.last_at)`,
    [
      requests.map(({ projectId }) => projectId),
      requests.map(({ keyId }) => keyId),
      requests.map(({ protocol }) => protocol),
      requests.map(({ reason }) => reason),
      requests.map(({ quantity }) => quantity),
      requests.map(({ ageMs }) => ageMs),
    ],
  );
}

/** Adds samples of projects that are not deleted, as above. */
export async function insertSamples(database: Queryable, samples: readonly WrittenSample[]): Promise<void> {
  await database.query(
    `WITH live AS (
        SELECT id FROM projects WHERE id = ANY($2::uuid[]) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE
      )
      INSERT INTO request_samples (project_id, at, key_id, key_prefix, is_authenticated, protocol, method, path, status,
          reason, detail, request_id, headers, named_ids)
        SELECT "projectId", now() - make_interval(secs => "ageMs" / 1000), "keyId", "keyPrefix", "isAuthenticated", protocol,
          method, path, status, reason, detail, "requestId", headers, "namedIds"
        FROM jsonb_to_recordset($1) AS s ("projectId" uuid, "ageMs" float8, "keyId" uuid, "keyPrefix" text,
          "isAuthenticated" boolean, protocol text, method text, path text, status smallint, reason text, detail text,
          "requestId" text, headers jsonb, "namedIds" text[])
        JOIN live ON live.id = s."projectId" ORDER BY "ageMs" DESC`,
    [JSON.stringify(samples), samples.map(({ projectId }) => projectId)],
  );
}

/** Deletes the oldest samples of projects that have too many. */
export async function deleteSurplusSamples(
  database: Queryable,
  projectIds: readonly string[],
): Promise<void> {
  await database.query(
    `WITH ranked AS MATERIALIZED (
        SELECT id, row_number() OVER (PARTITION BY project_id, is_authenticated, reason IS NULL ORDER BY id DESC) AS place,
          CASE WHEN NOT is_authenticated THEN $2::integer WHEN reason IS NULL THEN $3 ELSE $4 END AS places
        FROM request_samples WHERE project_id = ANY($1::uuid[])
      ), surplus AS (
        -- Two processes may find the same ones.
        SELECT id FROM request_samples WHERE id IN (SELECT id FROM ranked WHERE place > places) FOR UPDATE SKIP LOCKED
      )
      DELETE FROM request_samples WHERE id IN (SELECT id FROM surplus)`,
    [projectIds, MAX_SAMPLES.unauthenticated, MAX_SAMPLES.accepted, MAX_SAMPLES.refused],
  );
}

/** Deletes requests of before a time, and those that a clock which was ahead has dated in the future. */
export async function deleteRequestsBefore(
  database: Queryable,
  table: 'request_counts' | 'request_samples',
  before: Date,
  limit: number,
): Promise<number> {
  const time = table === 'request_counts' ? 'minute' : 'at';
  return deleteChunk(
    database,
    [table, `(${time} < $1 OR ${time} > now() + interval '1 hour')`],
    before,
    limit,
  );
}

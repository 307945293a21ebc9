import type { Queryable } from '../database/database.ts';
import type { ShownHeader } from '../ingestion/requests/describe-request.ts';
import type { Protocol } from '../ingestion/requests/protocols.ts';

interface NamedKey {
  keyId: string | null;
  keyName: string | null;
  keyPrefix: string | null;
}

export interface RequestCountRow extends NamedKey {
  protocol: Protocol;
  isRevoked: boolean;
  /** Null: the requests were accepted. */
  reason: string | null;
  quantity: number;
  lastAt: Date;
}

/** SQL: the row is of the project in `$2`, which belongs to the organization in `$1`. */
const OF_PROJECT = `project_id = (
  SELECT id FROM projects WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL)`;
/** SQL: the time is within the last 24 hours, by the clock by which it was written. */
const IN_LAST_DAY = (time: string) =>
  `${time} > now() - interval '24 hours' AND ${time} < now() + interval '1 minute'`;

/** By protocol and key, the most frequent first. */
export async function listRequestCounts(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<RequestCountRow[]> {
  const { rows } = await database.query<RequestCountRow>(
    `SELECT c.*, coalesce(k.name, v.name) AS "keyName", coalesce(k.prefix, v.prefix) AS "keyPrefix",
        c."keyId" IS NOT NULL AND k.id IS NULL AS "isRevoked"
      FROM (SELECT protocol, key_id AS "keyId", reason, sum(quantity)::bigint AS quantity, max(last_at) AS "lastAt"
        FROM request_counts WHERE ${OF_PROJECT} AND ${IN_LAST_DAY('minute')} GROUP BY 1, 2, 3) AS c
      LEFT JOIN api_keys k ON k.id = c."keyId" AND k.project_id = $2
      LEFT JOIN revoked_keys v ON v.id = c."keyId" AND v.project_id = $2
      ORDER BY c.quantity DESC, c.protocol, c."keyId", c.reason`,
    [organizationId, projectId],
  );
  return rows;
}

export interface RequestHourRow {
  at: Date;
  accepted: number;
  refused: number;
}

/** The oldest first. */
export async function listRequestHours(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<RequestHourRow[]> {
  const { rows } = await database.query<RequestHourRow>(
    `SELECT date_trunc('hour', minute, 'UTC') AS at,
        coalesce(sum(quantity) FILTER (WHERE reason IS NULL), 0)::bigint AS accepted,
        coalesce(sum(quantity) FILTER (WHERE reason IS NOT NULL), 0)::bigint AS refused
      FROM request_counts WHERE ${OF_PROJECT} AND ${IN_LAST_DAY('minute')} GROUP BY 1 ORDER BY 1`,
    [organizationId, projectId],
  );
  return rows;
}

export interface SampleRow extends Omit<NamedKey, 'keyId'> {
  at: Date;
  protocol: Protocol;
  isAuthenticated: boolean;
  method: string;
  path: string;
  status: number;
  reason: string | null;
  detail: string | null;
  requestId: string | null;
  headers: ShownHeader[];
}

/**
 * The newest first.
 * @param named sender's ids, as `hashNamedId` returns them, and ids of answers; a sample matches by one of them; null: all
 */
export async function listSamples(
  database: Queryable,
  organizationId: string,
  projectId: string,
  named: { hashes: string[]; requestId: string } | null,
): Promise<SampleRow[]> {
  const { rows } = await database.query<SampleRow>(
    `SELECT s.at, s.protocol, s.is_authenticated AS "isAuthenticated", s.method, s.path, s.status, s.reason, s.detail,
        s.request_id AS "requestId", s.headers, coalesce(k.name, v.name) AS "keyName", s.key_prefix AS "keyPrefix"
      FROM (SELECT * FROM request_samples WHERE ${OF_PROJECT} AND ${IN_LAST_DAY('at')}
        AND ($3::text[] IS NULL OR named_ids && $3 OR request_id = $4) ORDER BY id DESC LIMIT 100) AS s
      LEFT JOIN api_keys k ON k.id = s.key_id AND k.project_id = $2
      LEFT JOIN revoked_keys v ON v.id = s.key_id AND v.project_id = $2
      ORDER BY s.id DESC`,
    [organizationId, projectId, named?.hashes ?? null, named?.requestId ?? null],
  );
  return rows;
}

export interface ClaimRow {
  jobId: string;
  createdAt: Date;
}

/** Claims by their whole keys, and by the beginnings of keys that continue with a character before the tilde. */
export interface SoughtClaims {
  keys: string[];
  prefixes: string[];
}

/** The newest claims of a checked project under these keys; of a beginning, those with the last keys. */
export async function listClaims(
  database: Queryable,
  projectId: string,
  { keys, prefixes }: SoughtClaims,
  limit: number,
): Promise<ClaimRow[]> {
  const { rows } = await database.query<ClaimRow>(
    `SELECT c.job_id AS "jobId", c.created_at AS "createdAt" FROM (
        SELECT * FROM claims WHERE project_id = $1 AND key = ANY($2::text[])
        UNION ALL
        SELECT l.* FROM unnest($3::text[]) AS p (prefix) CROSS JOIN LATERAL (
          SELECT * FROM claims WHERE project_id = $1 AND key >= p.prefix AND key < p.prefix || '~'
          ORDER BY key DESC LIMIT $4) AS l
      ) AS c ORDER BY c.created_at DESC, c.key DESC LIMIT $4`,
    [projectId, keys, prefixes, limit],
  );
  return rows;
}

/** The alerts that a checked project's group, by the hash of one of its keys, listed last. */
export async function listGroupFingerprints(
  database: Queryable,
  projectId: string,
  hashes: readonly Buffer[],
  limit: number,
): Promise<string[]> {
  const { rows } = await database.query<{ fingerprint: string }>(
    `SELECT a.key AS fingerprint FROM alert_groups g CROSS JOIN LATERAL jsonb_each(g.alerts) AS a
      WHERE g.project_id = $1 AND g.key_hash = ANY($2::bytea[])
      ORDER BY (a.value ->> 'seenAtMs')::numeric DESC, a.key LIMIT $3`,
    [projectId, hashes, limit],
  );
  return rows.map(({ fingerprint }) => fingerprint);
}

/** When an event of a checked project became a dead letter, and the reason; null: it is none. */
export async function findDeadLetter(
  database: Queryable,
  projectId: string,
  eventId: string,
): Promise<{ createdAt: Date } | null> {
  const { rows } = await database.query<{ createdAt: Date }>(
    'SELECT created_at AS "createdAt" FROM dead_letters WHERE id = $2 AND project_id = $1',
    [projectId, eventId],
  );
  return rows[0] ?? null;
}

/** The number of events of a checked project that wait on the disk of ingestion processes that run. */
export async function countOnDisk(database: Queryable, projectId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT coalesce(sum((on_disk ->> $1)::bigint), 0)::bigint AS count FROM (
        SELECT DISTINCT ON (process_id) on_disk FROM intake_presence
        WHERE told_at > clock_timestamp() - interval '15 seconds' ORDER BY process_id, told_at DESC, since DESC
      ) AS latest`,
    [projectId],
  );
  return rows[0]?.count ?? 0;
}

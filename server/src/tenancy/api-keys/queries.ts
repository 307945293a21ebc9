import type { Queryable } from '../../database/database.ts';
import type { ApiKeyRow, BrowserLimits } from './schema.ts';

const RESTORED = 'api_keys_restored';

/** SQL: the key is none of a hook, which is listed and deleted as one. */
const IS_NO_HOOK = "k.use <> 'hook'";

/** Columns of a key, of the table `api_keys` as `k`. */
export const API_KEY_COLUMNS = `k.id, k.project_id AS "projectId", k.name, k.prefix, k.created_at AS "createdAt",
  k.made_by_token AS "madeByToken", k.use, k.browser,
  k.last_used_at AS "lastUsedAt", (SELECT CASE WHEN k.created_at <= to_timestamp(value::float8)
    THEN to_timestamp(value::float8) END FROM settings WHERE name = '${RESTORED}') AS "restoredAt"`;

export async function insertApiKey(
  database: Queryable,
  key: Omit<ApiKeyRow, 'use' | 'lastUsedAt' | 'restoredAt'> & {
    use: ApiKeyRow['use'] | 'hook';
    hash: Buffer;
  },
): Promise<void> {
  await database.query(
    `INSERT INTO api_keys (id, project_id, name, prefix, hash, created_at, made_by_token, use, browser)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      key.id,
      key.projectId,
      key.name,
      key.prefix,
      key.hash,
      key.createdAt,
      key.madeByToken,
      key.use,
      key.browser,
    ],
  );
}

/** Newest first; one more than `limit`, so that the caller knows if there is a next page. */
export async function listApiKeys(
  database: Queryable,
  organizationId: string,
  projectId: string,
  page: { cursor: string | null; limit: number },
): Promise<ApiKeyRow[]> {
  const { rows } = await database.query<ApiKeyRow>(
    `SELECT ${API_KEY_COLUMNS} FROM api_keys k JOIN projects p ON p.id = k.project_id
      WHERE p.organization_id = $1 AND k.project_id = $2 AND ($3::uuid IS NULL OR k.id < $3) AND ${IS_NO_HOOK}
      ORDER BY k.id DESC LIMIT $4 + 1`,
    [organizationId, projectId, page.cursor, page.limit],
  );
  return rows;
}

export async function countApiKeys(database: Queryable, projectId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM api_keys k WHERE project_id = $1 AND ${IS_NO_HOOK}`,
    [projectId],
  );
  return rows[0]?.count ?? 0;
}

/** Maximum revoked keys of a project that are remembered. */
const MAX_REVOKED = 100;

/** Deletes a key of the organization; null if there is none. */
export async function deleteApiKey(
  database: Queryable,
  organizationId: string,
  keyId: string,
  now: Date,
): Promise<ApiKeyRow | null> {
  const { rows } = await database.query<ApiKeyRow>(
    `WITH owned AS MATERIALIZED (
        SELECT k.id FROM api_keys k JOIN projects p ON p.id = k.project_id
        WHERE p.organization_id = $1 AND k.id = $2 AND ${IS_NO_HOOK} FOR KEY SHARE OF p
      )
      DELETE FROM api_keys k USING owned WHERE k.id = owned.id RETURNING ${API_KEY_COLUMNS}`,
    [organizationId, keyId],
  );
  const [key] = rows;
  if (key) await insertRevokedKey(database, key, now);
  return key ?? null;
}

/**
 * Remembers a deleted key, without what would open anything: its requests are shown to its project. The transaction
 * shares the project.
 */
export async function insertRevokedKey(
  database: Queryable,
  { id, projectId, name, prefix }: Pick<ApiKeyRow, 'id' | 'projectId' | 'name' | 'prefix'>,
  now: Date,
): Promise<void> {
  await database.query(
    `WITH surplus AS (
        DELETE FROM revoked_keys WHERE id IN (
          SELECT id FROM revoked_keys WHERE project_id = $2 ORDER BY revoked_at DESC OFFSET ${MAX_REVOKED - 1})
      )
      INSERT INTO revoked_keys (id, project_id, name, prefix, revoked_at) VALUES ($1, $2, $3, $4, $5)`,
    [id, projectId, name, prefix, now],
  );
}

/** The project that a key belongs to. */
export interface KeyOwner {
  keyId: string;
  organizationId: string;
  projectId: string;
  /** Number of the project in its DSN. */
  projectNumber: number;
  /** Limits of a key that stands in pages; null: it is for servers. */
  browser: BrowserLimits | null;
}

/**
 * The owners of the keys that are valid now, by the hash in hex. Not by organization: the key determines it.
 */
export async function findKeyOwners(database: Queryable, hashes: Buffer[]): Promise<Map<string, KeyOwner>> {
  const { rows } = await database.query<KeyOwner & { hash: string }>({
    name: 'find-key-owners',
    text: `SELECT encode(k.hash, 'hex') AS hash, k.id AS "keyId", p.organization_id AS "organizationId", k.project_id AS "projectId",
        p.number AS "projectNumber", k.browser
      FROM api_keys k JOIN projects p ON p.id = k.project_id
      WHERE k.hash = ANY($1) AND k.use IN ('server', 'browser') AND p.deleted_at IS NULL`,
    values: [hashes],
  });
  return new Map(rows.map(({ hash, ...owner }) => [hash, owner]));
}

/** The owner of a ping key that is valid now; null: there is none. Not by organization: the key determines it. */
export async function findPingKey(
  database: Queryable,
  hash: Buffer,
): Promise<Pick<KeyOwner, 'keyId' | 'projectId'> | null> {
  const { rows } = await database.query<Pick<KeyOwner, 'keyId' | 'projectId'>>(
    `SELECT k.id AS "keyId", k.project_id AS "projectId" FROM api_keys k JOIN projects p ON p.id = k.project_id
      WHERE k.hash = $1 AND k.use = 'ping' AND p.deleted_at IS NULL`,
    [hash],
  );
  return rows[0] ?? null;
}

/** @param uses last use of each key, by its UUID */
export async function updateLastUsed(database: Queryable, uses: Map<string, number>): Promise<void> {
  // Sorted by id: two processes that report the same keys at once must not deadlock.
  const sorted = [...uses].toSorted(([left], [right]) => (left < right ? -1 : 1));
  await database.query(
    `UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, u.used_at)
      FROM (SELECT * FROM unnest($1::uuid[], $2::timestamptz[]) AS use (id, used_at) ORDER BY id) u
      WHERE k.id = u.id`,
    [sorted.map(([id]) => id), sorted.map(([, usedAt]) => new Date(usedAt))],
  );
}

/**
 * Marks all keys as restored: they come from a backup that is restored now, and some may have been revoked since. By
 * the time of the database, which may be behind that of a key.
 * @returns the number of keys
 */
export async function upsertKeysRestored(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `WITH keys AS (SELECT count(*) AS count, max(created_at) AS newest FROM api_keys), restored AS (
        INSERT INTO settings (name, value)
          SELECT $1, extract(epoch FROM greatest(clock_timestamp(), newest))::text FROM keys
          ON CONFLICT (name) DO UPDATE SET value = excluded.value)
      SELECT count FROM keys`,
    [RESTORED],
  );
  return rows[0]?.count ?? 0;
}

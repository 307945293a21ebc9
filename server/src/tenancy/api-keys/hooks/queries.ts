import type { Queryable } from '../../../database/database.ts';
import { API_KEY_COLUMNS } from '../queries.ts';
import type { HookRow } from './schema.ts';

const COLUMNS = `${API_KEY_COLUMNS}, h.kind, h.secrets, h.secret_count AS "secretCount",
  h.last_refused_at AS "lastRefusedAt", h.last_refusal AS "lastRefusal"`;

/** The key of the same id is inserted before. */
export async function insertHook(
  database: Queryable,
  hook: Pick<HookRow, 'id' | 'kind' | 'secrets' | 'secretCount'>,
): Promise<void> {
  await database.query('INSERT INTO hooks (id, kind, secrets, secret_count) VALUES ($1, $2, $3, $4)', [
    hook.id,
    hook.kind,
    hook.secrets,
    hook.secretCount,
  ]);
}

/** Newest first. */
export async function listHooks(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<HookRow[]> {
  const { rows } = await database.query<HookRow>(
    `SELECT ${COLUMNS} FROM hooks h JOIN api_keys k ON k.id = h.id JOIN projects p ON p.id = k.project_id
      WHERE p.organization_id = $1 AND k.project_id = $2 ORDER BY k.id DESC`,
    [organizationId, projectId],
  );
  return rows;
}

export async function countHooks(database: Queryable, projectId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(*) AS count FROM hooks h JOIN api_keys k ON k.id = h.id WHERE k.project_id = $1',
    [projectId],
  );
  return rows[0]?.count ?? 0;
}

/** Finds a hook of the project, and locks it: no other transaction changes its name or its secrets meanwhile. */
export async function lockHook(
  transaction: Queryable,
  projectId: string,
  hookId: string,
): Promise<HookRow | null> {
  const { rows } = await transaction.query<HookRow>(
    `SELECT ${COLUMNS} FROM hooks h JOIN api_keys k ON k.id = h.id
      WHERE k.project_id = $1 AND h.id = $2 FOR UPDATE OF h`,
    [projectId, hookId],
  );
  return rows[0] ?? null;
}

export async function updateHook(
  database: Queryable,
  hook: Pick<HookRow, 'id' | 'name' | 'secrets' | 'secretCount' | 'lastRefusedAt' | 'lastRefusal'>,
): Promise<void> {
  await database.query(
    `WITH named AS (UPDATE api_keys SET name = $2 WHERE id = $1 AND name <> $2)
      UPDATE hooks SET secrets = $3, secret_count = $4, last_refused_at = $5, last_refusal = $6 WHERE id = $1`,
    [hook.id, hook.name, hook.secrets, hook.secretCount, hook.lastRefusedAt, hook.lastRefusal],
  );
}

/** Deletes a hook with its key: no request that starts after the commit is accepted. */
export async function deleteHook(database: Queryable, hookId: string): Promise<void> {
  await database.query('DELETE FROM api_keys WHERE id = $1', [hookId]);
}

/** A hook that a request names. */
export interface AddressedHook extends Pick<HookRow, 'id' | 'projectId' | 'kind' | 'name' | 'secrets'> {}

/** Not by organization: the token determines it. */
export async function findHookByToken(database: Queryable, hash: Buffer): Promise<AddressedHook | null> {
  const { rows } = await database.query<AddressedHook>(
    `SELECT h.id, k.project_id AS "projectId", h.kind, k.name, h.secrets
      FROM api_keys k JOIN hooks h ON h.id = k.id JOIN projects p ON p.id = k.project_id
      WHERE k.hash = $1 AND p.deleted_at IS NULL`,
    [hash],
  );
  return rows[0] ?? null;
}

/** Unless the hook has other secrets by now: the refusal says nothing about them. */
export async function updateHookRefusal(
  database: Queryable,
  { id, secrets }: Pick<HookRow, 'id' | 'secrets'>,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  await database.query(
    `UPDATE hooks SET last_refused_at = $3, last_refusal = $4
      WHERE id = $1 AND secrets IS NOT DISTINCT FROM $2`,
    [id, secrets, at, reason],
  );
}

/** Secrets of all organizations, by id: a new key concerns the whole installation. */
export async function listHookSecrets(
  database: Queryable,
  after: string | null,
  limit: number,
): Promise<{ id: string; secret: string }[]> {
  const { rows } = await database.query<{ id: string; secret: string }>(
    `SELECT id, secrets AS secret FROM hooks
      WHERE secrets IS NOT NULL AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2`,
    [after, limit],
  );
  return rows;
}

/** @returns false if they were changed meanwhile; that change is kept */
export async function updateHookSecrets(
  database: Queryable,
  before: { id: string; secret: string },
  sealed: string,
): Promise<boolean> {
  const { rowCount } = await database.query('UPDATE hooks SET secrets = $3 WHERE id = $1 AND secrets = $2', [
    before.id,
    before.secret,
    sealed,
  ]);
  return rowCount === 1;
}

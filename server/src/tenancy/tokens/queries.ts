import type { Queryable } from '../../database/database.ts';
import type { Scope, Session } from '../session.ts';
import { SESSION_COLUMNS, type SessionColumns, toPrincipal } from '../session-queries.ts';
import type { TokenRow } from './schema.ts';

const COLUMNS = `id, name, prefix, scopes, created_at AS "createdAt", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt"`;

/**
 * Locks the membership of a user: tokens are created one after the other, and none while the user leaves.
 * @returns true if the user is a member
 */
export async function lockMember(
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'SELECT FROM members WHERE organization_id = $1 AND user_id = $2 FOR NO KEY UPDATE',
    [organizationId, userId],
  );
  return rowCount !== 0;
}

export async function insertToken(
  database: Queryable,
  member: { organizationId: string; userId: string },
  token: Omit<TokenRow, 'lastUsedAt'> & { hash: Buffer },
): Promise<void> {
  await database.query(
    `INSERT INTO access_tokens (organization_id, user_id, id, name, prefix, hash, scopes, created_at, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      member.organizationId,
      member.userId,
      token.id,
      token.name,
      token.prefix,
      token.hash,
      token.scopes,
      token.createdAt,
      token.expiresAt,
    ],
  );
}

/** Newest first, expired ones included. */
export async function listTokens(
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<TokenRow[]> {
  const { rows } = await database.query<TokenRow>(
    `SELECT ${COLUMNS} FROM access_tokens WHERE organization_id = $1 AND user_id = $2 ORDER BY id DESC`,
    [organizationId, userId],
  );
  return rows;
}

export async function countTokens(
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(*) AS count FROM access_tokens WHERE organization_id = $1 AND user_id = $2',
    [organizationId, userId],
  );
  return rows[0]?.count ?? 0;
}

/** Deletes a token of the user; null if there is none. */
export async function deleteToken(
  database: Queryable,
  organizationId: string,
  userId: string,
  tokenId: string,
): Promise<TokenRow | null> {
  const { rows } = await database.query<TokenRow>(
    `DELETE FROM access_tokens WHERE organization_id = $1 AND user_id = $2 AND id = $3 RETURNING ${COLUMNS}`,
    [organizationId, userId, tokenId],
  );
  return rows[0] ?? null;
}

/** A token that a restore has revoked; without a member if its user has left. */
export interface RestoredToken {
  id: string;
  organizationId: string | null;
  userId: string | null;
  name: string;
  prefix: string;
  scopes: string[];
  revokedAt: Date;
}

export async function deleteAllTokens(database: Queryable): Promise<RestoredToken[]> {
  const { rows } = await database.query<RestoredToken>(
    `DELETE FROM access_tokens RETURNING id, organization_id AS "organizationId", user_id AS "userId", name, prefix, scopes,
        clock_timestamp() AS "revokedAt"`,
  );
  return rows;
}

/** Deletes tokens that expired before a time, and those whose users have left. */
export async function deleteTokensExpiredBefore(database: Queryable, before: Date): Promise<void> {
  await database.query('DELETE FROM access_tokens WHERE expires_at <= $1 OR user_id IS NULL', [before]);
}

/** The session of a token that is valid now. Not by organization: the token determines it. */
export async function findTokenSession(
  database: Queryable,
  hash: Buffer,
  now: Date,
): Promise<(Session & { lastUsedAt: Date | null }) | null> {
  const { rows } = await database.query<
    SessionColumns & { id: string; name: string; scopes: Scope[]; lastUsedAt: Date | null }
  >({
    name: 'find-token-session',
    text: `SELECT t.id, t.name, t.scopes, t.last_used_at AS "lastUsedAt", ${SESSION_COLUMNS}
      FROM access_tokens t
      JOIN users u ON u.id = t.user_id
      JOIN members m ON m.user_id = t.user_id AND m.organization_id = t.organization_id
      JOIN organizations o ON o.id = m.organization_id
      WHERE t.hash = $1 AND (t.expires_at > $2 OR t.expires_at IS NULL)`,
    values: [hash, now],
  });
  const row = rows[0];
  if (!row) return null;
  const { id, name, scopes, lastUsedAt } = row;
  return { id, scopes, token: { id, name }, lastUsedAt, ...toPrincipal(row) };
}

/** Writes the last use. The request does not depend on it, so a failure (a full disk) does not fail the request. */
export async function updateTokenLastUsed(database: Queryable, tokenId: string, usedAt: Date): Promise<void> {
  await database
    .query('UPDATE access_tokens SET last_used_at = $2 WHERE id = $1', [tokenId, usedAt])
    .catch(() => undefined);
}

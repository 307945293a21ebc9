import { ADVISORY_LOCKS } from '../../database/advisory-locks.ts';
import type { Queryable } from '../../database/database.ts';
import type { UserRow } from '../user.ts';
import type { SessionOrigin, SessionRow } from './schema.ts';

export interface NewUser extends UserRow {
  passwordHash: string;
  createdAt: Date;
}

export async function insertUser(database: Queryable, user: NewUser): Promise<void> {
  await database.query(
    'INSERT INTO users (id, name, email, password_hash, created_at) VALUES ($1, $2, $3, $4, $5)',
    [user.id, user.name, user.email, user.passwordHash, user.createdAt],
  );
}

export async function hasUsers(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ exists: boolean }>('SELECT EXISTS (SELECT FROM users) AS exists');
  return rows[0]?.exists === true;
}

/** Acquires a lock that no other transaction holds until this one ends. */
export async function lockFirstSignUp(database: Queryable): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.firstSignUp]);
}

export async function findUserByEmail(
  database: Queryable,
  email: string,
): Promise<(UserRow & { passwordHash: string }) | null> {
  const { rows } = await database.query<UserRow & { passwordHash: string }>(
    'SELECT id, name, email, password_hash AS "passwordHash" FROM users WHERE email = $1',
    [email],
  );
  return rows[0] ?? null;
}

/**
 * Returns true if this is still the hash of the user's password, which the transaction then locks until it ends.
 * @param lock `share`: held by any number of transactions; `update`: by one alone
 */
export async function lockPassword(
  database: Queryable,
  userId: string,
  passwordHash: string,
  lock: 'share' | 'update',
): Promise<boolean> {
  const clause = { share: 'FOR SHARE', update: 'FOR UPDATE' }[lock];
  const { rows } = await database.query<{ passwordHash: string }>(
    `SELECT password_hash AS "passwordHash" FROM users WHERE id = $1 ${clause}`,
    [userId],
  );
  return rows[0]?.passwordHash === passwordHash;
}

/** Serializes changes of a user until the transaction ends. */
export async function lockUser(database: Queryable, userId: string): Promise<UserRow | null> {
  const { rows } = await database.query<UserRow>(
    'SELECT id, name, email FROM users WHERE id = $1 FOR UPDATE',
    [userId],
  );
  return rows[0] ?? null;
}

export async function insertSession(
  database: Queryable,
  session: { id: string; userId: string; createdAt: Date; expiresAt: Date; origin: SessionOrigin },
): Promise<void> {
  await database.query(
    'INSERT INTO sessions (id, user_id, created_at, expires_at, address, user_agent) VALUES ($1, $2, $3, $4, $5, $6)',
    [
      session.id,
      session.userId,
      session.createdAt,
      session.expiresAt,
      session.origin.address,
      session.origin.userAgent,
    ],
  );
}

/** Newest first. */
export async function listSessions(database: Queryable, userId: string, now: Date): Promise<SessionRow[]> {
  const { rows } = await database.query<SessionRow>(
    `SELECT id, created_at AS "createdAt", expires_at AS "expiresAt",
        last_seen_at AS "lastSeenAt", address, user_agent AS "userAgent"
      FROM sessions WHERE user_id = $1 AND expires_at > $2 ORDER BY created_at DESC, id DESC`,
    [userId, now],
  );
  return rows;
}

/** @returns true if there was one */
export async function deleteSessionOf(
  database: Queryable,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const { rowCount } = await database.query('DELETE FROM sessions WHERE user_id = $1 AND id = $2', [
    userId,
    sessionId,
  ]);
  return rowCount !== 0;
}

/** @returns the number of ended sessions */
export async function deleteOtherSessions(
  database: Queryable,
  userId: string,
  keptId: string,
): Promise<number> {
  const { rowCount } = await database.query('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [
    userId,
    keptId,
  ]);
  return rowCount ?? 0;
}

/** Keeps the newest sessions of a user; returns the number of ended ones. */
export async function deleteOldestSessions(
  database: Queryable,
  userId: string,
  kept: number,
): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2)`,
    [userId, kept],
  );
  return rowCount ?? 0;
}

export async function deleteSession(database: Queryable, sessionId: string): Promise<void> {
  await database.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
}

export async function deleteSessionsOf(database: Queryable, userId: string): Promise<void> {
  await database.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
}

/** @returns the number of deleted sessions */
export async function deleteAllSessions(database: Queryable): Promise<number> {
  const { rowCount } = await database.query('DELETE FROM sessions');
  return rowCount ?? 0;
}

export async function deleteExpiredSessions(database: Queryable, now: Date): Promise<void> {
  await database.query('DELETE FROM sessions WHERE expires_at <= $1', [now]);
}

export async function updateName(database: Queryable, userId: string, name: string): Promise<void> {
  await database.query('UPDATE users SET name = $2 WHERE id = $1', [userId, name]);
}

/** @param verifiedAt null: nothing shows that the address is the user's */
export async function updateEmail(
  database: Queryable,
  userId: string,
  { email, verifiedAt }: { email: string; verifiedAt: Date | null },
): Promise<void> {
  await database.query('UPDATE users SET email = $2, email_verified_at = $3 WHERE id = $1', [
    userId,
    email,
    verifiedAt,
  ]);
}

/** Records that the user has opened a link that was mailed to the address. */
export async function updateEmailVerified(database: Queryable, userId: string, now: Date): Promise<void> {
  await database.query('UPDATE users SET email_verified_at = coalesce(email_verified_at, $2) WHERE id = $1', [
    userId,
    now,
  ]);
}

export async function updatePasswordHash(
  database: Queryable,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, passwordHash]);
}

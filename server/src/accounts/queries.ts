import type { Plan, Role } from '../organizations/schema.ts';
import type { Queryable } from '../platform/database.ts';
import type { UserRow } from './schema.ts';

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

/** Whom a session stands for, with rights as they are now. All ids are UUIDs. */
export interface Session {
  id: string;
  user: UserRow;
  role: Role;
  organizationId: string;
  organization: { id: string; name: string; plan: Plan; createdAt: Date };
}

export async function insertSession(
  database: Queryable,
  session: { id: string; userId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await database.query('INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)', [
    session.id,
    session.userId,
    session.createdAt,
    session.expiresAt,
  ]);
}

export async function findSession(
  database: Queryable,
  sessionId: string,
  now: Date,
): Promise<Session | null> {
  const { rows } = await database.query<{
    userId: string;
    userName: string;
    email: string;
    role: Role;
    organizationId: string;
    organizationName: string;
    plan: Plan;
    organizationCreatedAt: Date;
  }>({
    name: 'find-session',
    text: `SELECT u.id AS "userId", u.name AS "userName", u.email, m.role, o.id AS "organizationId",
        o.name AS "organizationName", o.plan, o.created_at AS "organizationCreatedAt"
      FROM sessions s
      JOIN users u ON u.id = s.user_id
      JOIN members m ON m.user_id = u.id
      JOIN organizations o ON o.id = m.organization_id
      WHERE s.id = $1 AND s.expires_at > $2`,
    values: [sessionId, now],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    id: sessionId,
    user: { id: row.userId, name: row.userName, email: row.email },
    role: row.role,
    organizationId: row.organizationId,
    organization: {
      id: row.organizationId,
      name: row.organizationName,
      plan: row.plan,
      createdAt: row.organizationCreatedAt,
    },
  };
}

/** The organization that each of these sessions belongs to now; sessions that ended are left out. */
export async function findSessionOrganizations(
  database: Queryable,
  sessionIds: string[],
  now: Date,
): Promise<Map<string, string>> {
  const { rows } = await database.query<{ id: string; organizationId: string }>(
    `SELECT s.id, m.organization_id AS "organizationId"
      FROM sessions s JOIN members m USING (user_id) WHERE s.id = ANY($1) AND s.expires_at > $2`,
    [sessionIds, now],
  );
  return new Map(rows.map((row) => [row.id, row.organizationId]));
}

export async function deleteSession(database: Queryable, sessionId: string): Promise<void> {
  await database.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
}

export async function deleteOtherSessions(
  database: Queryable,
  userId: string,
  sessionId: string,
): Promise<void> {
  await database.query('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [userId, sessionId]);
}

export async function deleteExpiredSessions(database: Queryable, now: Date): Promise<void> {
  await database.query('DELETE FROM sessions WHERE expires_at <= $1', [now]);
}

/** Tells every process that sessions ended or users moved, so that they look at their WebSockets. */
export async function notifySessionsChanged(database: Queryable): Promise<void> {
  await database.query(`SELECT pg_notify('tocsin_sessions', '')`);
}

export async function updatePasswordHash(
  database: Queryable,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, passwordHash]);
}

const LOGIN_LOCK = 7_052_029;

/** Makes the logins of one account happen one after the other, until the transaction ends. */
export async function lockLoginFailures(database: Queryable, subject: string): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [LOGIN_LOCK, subject]);
}

/** Failed logins of each subject since a moment. */
export async function countLoginFailures(
  database: Queryable,
  subjects: string[],
  since: Date,
): Promise<Map<string, { count: number; oldest: Date }>> {
  const { rows } = await database.query<{ subject: string; count: number; oldest: Date }>(
    `SELECT subject, count(*) AS count, min(failed_at) AS oldest FROM login_failures
      WHERE subject = ANY($1) AND failed_at > $2 GROUP BY subject`,
    [subjects, since],
  );
  return new Map(rows.map((row) => [row.subject, row]));
}

export async function insertLoginFailures(database: Queryable, subjects: string[], now: Date): Promise<void> {
  await database.query('INSERT INTO login_failures (subject, failed_at) SELECT unnest($1::text[]), $2', [
    subjects,
    now,
  ]);
}

export async function deleteLoginFailures(database: Queryable, subject: string): Promise<void> {
  await database.query('DELETE FROM login_failures WHERE subject = $1', [subject]);
}

export async function deleteLoginFailuresBefore(database: Queryable, before: Date): Promise<void> {
  await database.query('DELETE FROM login_failures WHERE failed_at <= $1', [before]);
}

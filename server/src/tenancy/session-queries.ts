import { CHANNELS } from '../database/channels.ts';
import type { Queryable } from '../database/database.ts';
import { latestHold } from '../platform/stored-times.ts';
import type { Plan, Role, Session } from './session.ts';

/** Columns of a session, from `users u`, `members m` and `organizations o`. */
export const SESSION_COLUMNS = `u.id AS "userId", u.name AS "userName", u.email, m.role, o.id AS "organizationId",
  o.name AS "organizationName", o.plan, o.created_at AS "organizationCreatedAt"`;

export interface SessionColumns {
  userId: string;
  userName: string;
  email: string;
  role: Role;
  organizationId: string;
  organizationName: string;
  plan: Plan;
  organizationCreatedAt: Date;
}

/**
 * Minimum interval between two writes of a session's last use: a write for each request would cost more than the
 * request.
 */
const LAST_SEEN_STEP_MS = 5 * 60_000;

export async function findSession(
  database: Queryable,
  sessionId: string,
  now: Date,
): Promise<Session | null> {
  const { rows } = await database.query<SessionColumns & { isSeenLongAgo: boolean }>({
    name: 'find-session',
    text: `SELECT ${SESSION_COLUMNS},
        coalesce(s.last_seen_at, s.created_at) NOT BETWEEN $3 AND $4 AS "isSeenLongAgo"
      FROM sessions s
      JOIN users u ON u.id = s.user_id
      JOIN members m ON m.user_id = u.id
      JOIN organizations o ON o.id = m.organization_id
      WHERE s.id = $1 AND s.expires_at > $2`,
    values: [
      sessionId,
      now,
      new Date(now.getTime() - LAST_SEEN_STEP_MS),
      new Date(latestHold(now.getTime(), 0)),
    ],
  });
  const row = rows[0];
  if (row?.isSeenLongAgo) await updateLastSeen(database, sessionId, now);
  return row ? { id: sessionId, scopes: null, token: null, ...toPrincipal(row) } : null;
}

/** Writes the last use. The request does not depend on it, so a failure (a full disk) does not fail the request. */
async function updateLastSeen(database: Queryable, sessionId: string, now: Date): Promise<void> {
  await database
    .query('UPDATE sessions SET last_seen_at = $2 WHERE id = $1', [sessionId, now])
    .catch(() => undefined);
}

/** User and organization that a request acts for. */
export function toPrincipal(row: SessionColumns): Omit<Session, 'id' | 'scopes' | 'token'> {
  return {
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

interface SessionPlace {
  organizationId: string;
  /** Null: a token that does not expire. */
  expiresAt: Date | null;
}

/** The current organization of each of these sessions and tokens, and its end; those that ended are left out. */
export async function findSessionOrganizations(
  database: Queryable,
  sessionIds: string[],
  now: Date,
): Promise<Map<string, SessionPlace>> {
  const { rows } = await database.query<SessionPlace & { id: string }>(
    `SELECT s.id, m.organization_id AS "organizationId", s.expires_at AS "expiresAt"
      FROM sessions s JOIN members m USING (user_id) WHERE s.id = ANY($1) AND s.expires_at > $2
      UNION ALL SELECT id, organization_id, expires_at FROM access_tokens
        WHERE id = ANY($1) AND organization_id IS NOT NULL AND (expires_at > $2 OR expires_at IS NULL)`,
    [sessionIds, now],
  );
  return new Map(rows.map(({ id, organizationId, expiresAt }) => [id, { organizationId, expiresAt }]));
}

/** Notifies every process that sessions or tokens ended or users moved, so that it checks its WebSockets. */
export async function notifySessionsChanged(database: Queryable): Promise<void> {
  await database.query(`SELECT pg_notify($1, '')`, [CHANNELS.sessions]);
}

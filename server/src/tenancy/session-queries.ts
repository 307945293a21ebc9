import { CHANNELS } from '../database/channels.ts';
import type { Queryable } from '../database/database.ts';
import type { Plan, Role, Session } from './session.ts';

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

/** Notifies every process that sessions ended or users moved, so that it checks its WebSockets. */
export async function notifySessionsChanged(database: Queryable): Promise<void> {
  await database.query(`SELECT pg_notify($1, '')`, [CHANNELS.sessions]);
}

import type { Queryable } from '../../database/database.ts';
import type { Plan, Role } from '../session.ts';
import type { MemberPlace } from './member-cursor.ts';
import type { MemberRow, OrganizationRow } from './schema.ts';

const MEMBER_COLUMNS = `u.id, u.name, u.email, m.role, m.created_at AS "createdAt",
  m.confirmed_at AS "confirmedAt"`;

export async function insertOrganization(
  database: Queryable,
  organization: { id: string; name: string; createdAt: Date },
): Promise<void> {
  await database.query('INSERT INTO organizations (id, name, created_at) VALUES ($1, $2, $3)', [
    organization.id,
    organization.name,
    organization.createdAt,
  ]);
}

/** Locks the organization's row, which serializes changes of its members. */
export async function lockOrganization(
  database: Queryable,
  organizationId: string,
): Promise<OrganizationRow | null> {
  const { rows } = await database.query<OrganizationRow>(
    'SELECT id, name, plan, created_at AS "createdAt" FROM organizations WHERE id = $1 FOR UPDATE',
    [organizationId],
  );
  return rows[0] ?? null;
}

export async function updateOrganization(
  database: Queryable,
  organizationId: string,
  change: { name: string; plan: Plan },
): Promise<void> {
  await database.query('UPDATE organizations SET name = $2, plan = $3 WHERE id = $1', [
    organizationId,
    change.name,
    change.plan,
  ]);
}

/** Deletes an organization that has neither members nor projects. */
export async function deleteEmptyOrganization(database: Queryable, organizationId: string): Promise<void> {
  await database.query(
    `DELETE FROM organizations o WHERE o.id = $1
      AND NOT EXISTS (SELECT FROM members m WHERE m.organization_id = o.id)
      AND NOT EXISTS (SELECT FROM projects p WHERE p.organization_id = o.id)`,
    [organizationId],
  );
}

/** Newest first. */
export async function listProjectNames(database: Queryable, organizationId: string): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    'SELECT name FROM projects WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY id DESC',
    [organizationId],
  );
  return rows.map(({ name }) => name);
}

export async function findOrganizationName(database: Queryable, organizationId: string): Promise<string> {
  const { rows } = await database.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
    organizationId,
  ]);
  return rows[0]?.name ?? '';
}

export async function listOwnerIds(database: Queryable, organizationId: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT user_id AS id FROM members WHERE organization_id = $1 AND role = 'OWNER' ORDER BY user_id`,
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

export async function listMembers(database: Queryable, organizationId: string): Promise<MemberRow[]> {
  const { rows } = await database.query<MemberRow>(
    `SELECT ${MEMBER_COLUMNS}
      FROM members m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = $1 ORDER BY m.created_at, u.id`,
    [organizationId],
  );
  return rows;
}

/** Sorted by the time of joining; one more than `limit`, so that the caller knows if there is a next page. */
export async function listMemberPage(
  database: Queryable,
  organizationId: string,
  { after, limit }: { after: MemberPlace | null; limit: number },
): Promise<MemberRow[]> {
  const { rows } = await database.query<MemberRow>(
    `SELECT ${MEMBER_COLUMNS}
      FROM members m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = $1
        AND ($2::timestamptz IS NULL OR (m.created_at, m.user_id) > ($2::timestamptz, $3::uuid))
      ORDER BY m.created_at, m.user_id LIMIT $4 + 1`,
    [organizationId, after?.joinedAt ?? null, after?.userId ?? null, limit],
  );
  return rows;
}

/** The membership of a user, in any organization. */
export async function findMembership(
  database: Queryable,
  userId: string,
): Promise<(MemberRow & { organizationId: string }) | null> {
  const { rows } = await database.query<MemberRow & { organizationId: string }>(
    `SELECT ${MEMBER_COLUMNS}, m.organization_id AS "organizationId"
      FROM members m JOIN users u ON u.id = m.user_id WHERE m.user_id = $1`,
    [userId],
  );
  return rows[0] ?? null;
}

/** Inserts a member; a user who signs up agrees to the membership. */
export async function insertMember(
  database: Queryable,
  organizationId: string,
  member: { userId: string; role: Role; createdAt: Date },
): Promise<void> {
  await database.query(
    'INSERT INTO members (organization_id, user_id, role, created_at, confirmed_at) VALUES ($1, $2, $3, $4, $4)',
    [organizationId, member.userId, member.role, member.createdAt],
  );
}

/** Moves a user's one membership to another organization. */
export async function updateMembership(
  database: Queryable,
  organizationId: string,
  member: { userId: string; role: Role; createdAt: Date; isConfirmed: boolean },
): Promise<void> {
  await database.query(
    `UPDATE members SET organization_id = $1, role = $3, created_at = $4,
        confirmed_at = CASE WHEN $5 THEN $4::timestamptz END
      WHERE user_id = $2`,
    [organizationId, member.userId, member.role, member.createdAt, member.isConfirmed],
  );
}

/** The confirmation is not before the beginning of the membership, whatever the clock says now. */
export async function updateMemberConfirmed(
  database: Queryable,
  organizationId: string,
  userId: string,
  now: Date,
): Promise<void> {
  await database.query(
    `UPDATE members SET confirmed_at = greatest($3, created_at)
      WHERE organization_id = $1 AND user_id = $2`,
    [organizationId, userId, now],
  );
}

export async function updateMemberRole(
  database: Queryable,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await database.query('UPDATE members SET role = $3 WHERE organization_id = $1 AND user_id = $2', [
    organizationId,
    userId,
    role,
  ]);
}

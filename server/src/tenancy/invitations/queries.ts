import type { Queryable } from '../../database/database.ts';
import type { FoundInvitation, InvitationRow } from './schema.ts';

const COLUMNS = `i.id, i.organization_id AS "organizationId", i.role, i.email, i.created_by AS "createdBy",
  u.name AS "creatorName", i.created_at AS "createdAt", i.expires_at AS "expiresAt"`;

/** SQL: the user who made an invitation is still an OWNER of its organization; otherwise it is not valid. */
const IS_CREATOR_OWNER = `EXISTS (SELECT FROM members m
  WHERE m.organization_id = i.organization_id AND m.user_id = i.created_by AND m.role = 'OWNER')`;

export async function insertInvitation(
  database: Queryable,
  invitation: Omit<InvitationRow, 'creatorName'> & { hash: Buffer },
): Promise<void> {
  await database.query(
    `INSERT INTO invitations (id, organization_id, hash, role, email, created_by, created_at, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      invitation.id,
      invitation.organizationId,
      invitation.hash,
      invitation.role,
      invitation.email,
      invitation.createdBy,
      invitation.createdAt,
      invitation.expiresAt,
    ],
  );
}

/** The invitations that can be accepted, newest first. */
export async function listOpenInvitations(
  database: Queryable,
  organizationId: string,
  now: Date,
): Promise<InvitationRow[]> {
  const { rows } = await database.query<InvitationRow>(
    `SELECT ${COLUMNS} FROM invitations i JOIN users u ON u.id = i.created_by
      WHERE i.organization_id = $1 AND i.accepted_at IS NULL AND i.expires_at > $2 AND ${IS_CREATOR_OWNER}
      ORDER BY i.id DESC`,
    [organizationId, now],
  );
  return rows;
}

/** Not by organization: the token identifies it. */
export async function findInvitation(database: Queryable, hash: Buffer): Promise<FoundInvitation | null> {
  const { rows } = await database.query<FoundInvitation>(
    `SELECT ${COLUMNS}, o.name AS "organizationName", i.accepted_at AS "acceptedAt",
        ${IS_CREATOR_OWNER} AS "isCreatorOwner"
      FROM invitations i JOIN users u ON u.id = i.created_by JOIN organizations o ON o.id = i.organization_id
      WHERE i.hash = $1`,
    [hash],
  );
  return rows[0] ?? null;
}

/** @returns true if it was still open */
export async function updateAccepted(
  database: Queryable,
  organizationId: string,
  invitationId: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `UPDATE invitations SET accepted_at = $3
      WHERE organization_id = $1 AND id = $2 AND accepted_at IS NULL AND expires_at > $3`,
    [organizationId, invitationId, now],
  );
  return rowCount !== 0;
}

/** Deletes an invitation that was not accepted; null if there is none. */
export async function deleteOpenInvitation(
  database: Queryable,
  organizationId: string,
  invitationId: string,
): Promise<Pick<InvitationRow, 'role' | 'email'> | null> {
  const { rows } = await database.query<Pick<InvitationRow, 'role' | 'email'>>(
    `DELETE FROM invitations WHERE organization_id = $1 AND id = $2 AND accepted_at IS NULL
      RETURNING role, email`,
    [organizationId, invitationId],
  );
  return rows[0] ?? null;
}

export async function deleteInvitationsExpiredBefore(database: Queryable, before: Date): Promise<void> {
  await database.query('DELETE FROM invitations WHERE expires_at <= $1', [before]);
}

/** @returns the number of deleted invitations */
export async function deleteAllInvitations(database: Queryable): Promise<number> {
  const { rowCount } = await database.query('DELETE FROM invitations');
  return rowCount ?? 0;
}

import type { Queryable } from '../../database/database.ts';
import type { RecoveryLinkRow, RecoveryOrigin } from './schema.ts';

/** Hash of the current password's hash. */
const OF_PASSWORD = `sha256(convert_to(u.password_hash, 'UTF8'))`;

export interface NewRecoveryLink {
  id: string;
  userId: string;
  hash: Buffer;
  /** `user`: it confirms a new address. */
  origin: RecoveryOrigin | 'user';
  createdBy: string | null;
  /** New address; null: the link sets a password. */
  email: string | null;
  createdAt: Date;
  expiresAt: Date;
}

export async function insertRecoveryLink(database: Queryable, link: NewRecoveryLink): Promise<void> {
  await database.query(
    `INSERT INTO recovery_links (id, user_id, hash, of_password, origin, created_by, email, created_at, expires_at)
      SELECT $1, u.id, $3, ${OF_PASSWORD}, $4, $5, $6, $7, $8 FROM users u WHERE u.id = $2`,
    [
      link.id,
      link.userId,
      link.hash,
      link.origin,
      link.createdBy,
      link.email,
      link.createdAt,
      link.expiresAt,
    ],
  );
}

export interface EmailLink {
  userId: string;
  email: string;
}

/** The link of a token that confirms a new address, if it is valid: the password is the one it was made for. */
export async function findValidEmailLink(
  database: Queryable,
  hash: Buffer,
  now: Date,
): Promise<EmailLink | null> {
  const { rows } = await database.query<EmailLink>(
    `SELECT l.user_id AS "userId", l.email FROM recovery_links l JOIN users u ON u.id = l.user_id
      WHERE l.hash = $1 AND l.expires_at > $2 AND l.email IS NOT NULL AND l.of_password = ${OF_PASSWORD}`,
    [hash, now],
  );
  return rows[0] ?? null;
}

/**
 * The link of a token, if it is valid: the password is the one it was made for, and the OWNER who made it is an OWNER
 * of the user's organization. Not by organization: the token identifies the user.
 */
export async function findValidRecoveryLink(
  database: Queryable,
  hash: Buffer,
  now: Date,
): Promise<RecoveryLinkRow | null> {
  const { rows } = await database.query<RecoveryLinkRow>(
    `SELECT l.user_id AS "userId", u.email, l.origin, l.expires_at AS "expiresAt"
      FROM recovery_links l JOIN users u ON u.id = l.user_id
      WHERE l.hash = $1 AND l.expires_at > $2 AND l.email IS NULL AND l.of_password = ${OF_PASSWORD}
        AND (l.origin <> 'owner' OR EXISTS (
          SELECT FROM members m JOIN members c ON c.organization_id = m.organization_id
          WHERE m.user_id = l.user_id AND c.user_id = l.created_by AND c.role = 'OWNER'))`,
    [hash, now],
  );
  return rows[0] ?? null;
}

/**
 * Confirms the present address of a user, if it is verified, as a recipient of the mail targets of the user's
 * organization that name it. It was one as the address of a member, and goes on after a change until the membership ends.
 */
export async function updateRecipientConfirmed(
  database: Queryable,
  userId: string,
  now: Date,
): Promise<void> {
  await database.query(
    `UPDATE mail_recipients r SET confirmed_at = greatest($2, m.confirmed_at), member_id = u.id
      FROM members m JOIN users u ON u.id = m.user_id
      WHERE u.id = $1 AND u.email_verified_at IS NOT NULL AND m.confirmed_at IS NOT NULL
        AND r.organization_id = m.organization_id AND r.address = u.email
        AND (r.confirmed_at IS NULL OR r.member_id IS NOT NULL)
        AND EXISTS (SELECT FROM notification_targets t
          WHERE t.organization_id = r.organization_id AND t.recipient = r.address)`,
    [userId, now],
  );
}

export async function countRecoveryLinks(
  database: Queryable,
  userId: string,
  origin: RecoveryOrigin,
  { since, until }: { since: Date; until: Date },
): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM recovery_links
      WHERE user_id = $1 AND origin = $2 AND created_at > $3 AND created_at <= $4`,
    [userId, origin, since, until],
  );
  return rows[0]?.count ?? 0;
}

export async function deleteRecoveryLinksOf(
  database: Queryable,
  userId: string,
  origin: RecoveryOrigin | 'user',
): Promise<void> {
  await database.query('DELETE FROM recovery_links WHERE user_id = $1 AND origin = $2', [userId, origin]);
}

export async function deleteRecoveryLinksBefore(database: Queryable, before: Date): Promise<void> {
  await database.query('DELETE FROM recovery_links WHERE created_at <= $1', [before]);
}

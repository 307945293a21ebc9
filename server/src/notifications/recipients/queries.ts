import type { Queryable } from '../../database/database.ts';
import type { RecipientRow } from './recipient.ts';

const isMember = (organizationId: string, address: string) => `EXISTS (
  SELECT FROM members m JOIN users u ON u.id = m.user_id
  WHERE m.organization_id = ${organizationId} AND u.email = ${address} AND u.email_verified_at IS NOT NULL)`;

const HAS_CONFIRMED = '(r.confirmed_at IS NOT NULL AND r.member_id IS NULL)';

/**
 * A membership confirms as long as it lasts; a later one of the same user has a later agreement. Readers decide it, since
 * a change of the address and the end of the membership lock no common row.
 */
const IS_CONFIRMED = `(${HAS_CONFIRMED} OR EXISTS (SELECT FROM members m
  WHERE m.organization_id = r.organization_id AND m.user_id = r.member_id AND m.confirmed_at <= r.confirmed_at))`;

const COLUMNS = `r.organization_id AS "organizationId", r.address, r.asked_at AS "askedAt",
  ${HAS_CONFIRMED} AS "hasConfirmed", ${IS_CONFIRMED} AS "isConfirmed",
  ${isMember('r.organization_id', 'r.address')} AS "isMember"`;

export async function listRecipients(database: Queryable, organizationId: string): Promise<RecipientRow[]> {
  const { rows } = await database.query<RecipientRow>(
    `SELECT ${COLUMNS} FROM mail_recipients r WHERE organization_id = $1`,
    [organizationId],
  );
  return rows;
}

export async function findRecipient(
  database: Queryable,
  organizationId: string,
  address: string,
): Promise<RecipientRow | null> {
  const { rows } = await database.query<RecipientRow>(
    `SELECT ${COLUMNS} FROM mail_recipients r WHERE organization_id = $1 AND address = $2`,
    [organizationId, address],
  );
  return rows[0] ?? null;
}

/** @returns true if the organization may send messages to the address */
export async function isRecipient(
  database: Queryable,
  organizationId: string,
  address: string,
): Promise<boolean> {
  const { rows } = await database.query<{ isAllowed: boolean }>(
    `SELECT EXISTS (SELECT FROM mail_recipients r WHERE r.organization_id = $1 AND r.address = $2
          AND ${IS_CONFIRMED})
        OR ${isMember('$1', '$2')} AS "isAllowed"`,
    [organizationId, address],
  );
  return rows[0]?.isAllowed === true;
}

/** Inserts a recipient that is not known yet. */
export async function insertRecipient(
  database: Queryable,
  organizationId: string,
  { address, now }: { address: string; now: Date },
): Promise<void> {
  await database.query(
    `INSERT INTO mail_recipients (organization_id, address, created_at) VALUES ($1, $2, $3)
      ON CONFLICT DO NOTHING`,
    [organizationId, address, now],
  );
}

/** Deletes recipients without a target that have confirmed nothing and were not asked since a time. */
export async function deleteUnusedRecipients(
  database: Queryable,
  organizationId: string,
  notAskedSince: Date,
): Promise<void> {
  await database.query(
    `DELETE FROM mail_recipients r WHERE organization_id = $1 AND NOT ${IS_CONFIRMED}
        AND (asked_at IS NULL OR asked_at < $2)
        AND NOT EXISTS (SELECT FROM notification_targets t
          WHERE t.organization_id = r.organization_id AND t.recipient = r.address)`,
    [organizationId, notAskedSince],
  );
}

/** Stores that a mail was sent: its link replaces the previous one. */
export async function upsertAsked(
  database: Queryable,
  organizationId: string,
  asked: { address: string; hash: Buffer; at: Date; expiresAt: Date },
): Promise<void> {
  await database.query(
    `INSERT INTO mail_recipients (organization_id, address, created_at, asked_at, hash, expires_at)
      VALUES ($1, $2, $3, $3, $4, $5)
      ON CONFLICT (organization_id, address) DO UPDATE SET asked_at = $3, hash = $4, expires_at = $5`,
    [organizationId, asked.address, asked.at, asked.hash, asked.expiresAt],
  );
}

export interface AskedRecipient {
  organizationId: string;
  organizationName: string;
  address: string;
  /** True if the address has confirmed by itself: a membership that confirms it leaves the choice open. */
  hasConfirmed: boolean;
}

/** Not by organization: the token identifies it. */
export async function findAskedRecipient(
  database: Queryable,
  hash: Buffer,
  now: Date,
): Promise<AskedRecipient | null> {
  const { rows } = await database.query<AskedRecipient>(
    `SELECT r.organization_id AS "organizationId", o.name AS "organizationName", r.address,
        ${HAS_CONFIRMED} AS "hasConfirmed"
      FROM mail_recipients r JOIN organizations o ON o.id = r.organization_id
      WHERE r.hash = $1 AND r.expires_at > $2`,
    [hash, now],
  );
  return rows[0] ?? null;
}

/** The address has confirmed by itself: no membership that ends takes it back. */
export async function updateConfirmed(
  database: Queryable,
  organizationId: string,
  { address, now }: { address: string; now: Date },
): Promise<void> {
  await database.query(
    `UPDATE mail_recipients SET confirmed_at = coalesce(confirmed_at, $3), member_id = NULL
      WHERE organization_id = $1 AND address = $2`,
    [organizationId, address, now],
  );
}

/** @returns true if an enabled target has an address that is not confirmed */
export async function hasUnconfirmedRecipient(database: Queryable, organizationId: string): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM notification_targets t
        WHERE t.organization_id = $1 AND t.recipient IS NOT NULL AND t.disabled_at IS NULL
          AND NOT EXISTS (SELECT FROM mail_recipients r
            WHERE r.organization_id = $1 AND r.address = t.recipient AND ${IS_CONFIRMED})
          AND NOT ${isMember('$1', 't.recipient')}) AS found`,
    [organizationId],
  );
  return rows[0]?.found === true;
}

import type { Queryable } from '../../database/database.ts';

export interface FactorRow {
  /** Encrypted secret. */
  secret: string;
  createdAt: Date;
  /** Null: not active yet. */
  activatedAt: Date | null;
  lastStep: number;
}

const COLUMNS = `secret, created_at AS "createdAt", activated_at AS "activatedAt", last_step AS "lastStep"`;

export async function findFactor(database: Queryable, userId: string): Promise<FactorRow | null> {
  const { rows } = await database.query<FactorRow>(`SELECT ${COLUMNS} FROM totp_factors WHERE user_id = $1`, [
    userId,
  ]);
  return rows[0] ?? null;
}

/** Locks the factor: until the transaction ends, no other one reads it by this function. */
export async function lockFactor(database: Queryable, userId: string): Promise<FactorRow | null> {
  const { rows } = await database.query<FactorRow>(
    `SELECT ${COLUMNS} FROM totp_factors WHERE user_id = $1 FOR UPDATE`,
    [userId],
  );
  return rows[0] ?? null;
}

/** Replaces a factor that is not active. */
export async function upsertPendingFactor(
  database: Queryable,
  factor: { userId: string; secret: string; createdAt: Date },
): Promise<void> {
  await database.query(
    `INSERT INTO totp_factors (user_id, secret, created_at) VALUES ($1, $2, $3)
      ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
      WHERE totp_factors.activated_at IS NULL`,
    [factor.userId, factor.secret, factor.createdAt],
  );
}

export async function updateFactorActive(
  database: Queryable,
  userId: string,
  { activatedAt, step }: { activatedAt: Date; step: number },
): Promise<void> {
  await database.query('UPDATE totp_factors SET activated_at = $2, last_step = $3 WHERE user_id = $1', [
    userId,
    activatedAt,
    step,
  ]);
}

export async function updateLastStep(
  database: Queryable,
  userId: string,
  { step, secret }: { step: number; secret: string },
): Promise<void> {
  await database.query('UPDATE totp_factors SET last_step = $2, secret = $3 WHERE user_id = $1', [
    userId,
    step,
    secret,
  ]);
}

/** Deletes a factor with its recovery codes. */
export async function deleteFactor(database: Queryable, userId: string): Promise<void> {
  await database.query('DELETE FROM totp_factors WHERE user_id = $1', [userId]);
}

export async function deleteRecoveryCodes(database: Queryable, userId: string): Promise<void> {
  await database.query('DELETE FROM totp_recovery_codes WHERE user_id = $1', [userId]);
}

export async function insertRecoveryCodes(
  database: Queryable,
  userId: string,
  hashes: Buffer[],
): Promise<void> {
  await database.query('INSERT INTO totp_recovery_codes (user_id, hash) SELECT $1, unnest($2::bytea[])', [
    userId,
    hashes,
  ]);
}

/** @returns true if there was such a code; of concurrent uses of one only one succeeds */
export async function deleteRecoveryCode(
  database: Queryable,
  userId: string,
  hash: Buffer,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'DELETE FROM totp_recovery_codes WHERE user_id = $1 AND hash = $2',
    [userId, hash],
  );
  return rowCount !== 0;
}

export async function countRecoveryCodes(database: Queryable, userId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(*) AS count FROM totp_recovery_codes WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.count ?? 0;
}

/** Secrets of all users, by id: a new key concerns the whole installation. */
export async function listFactorSecrets(
  database: Queryable,
  after: string | null,
  limit: number,
): Promise<{ id: string; secret: string }[]> {
  const { rows } = await database.query<{ id: string; secret: string }>(
    `SELECT user_id AS id, secret FROM totp_factors WHERE $1::uuid IS NULL OR user_id > $1
      ORDER BY user_id LIMIT $2`,
    [after, limit],
  );
  return rows;
}

/** @returns false if it was changed meanwhile; that change is kept */
export async function updateFactorSecret(
  database: Queryable,
  before: { id: string; secret: string },
  sealed: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'UPDATE totp_factors SET secret = $3 WHERE user_id = $1 AND secret = $2',
    [before.id, before.secret, sealed],
  );
  return rowCount === 1;
}

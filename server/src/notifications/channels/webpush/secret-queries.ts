import type { Queryable } from '../../../database/database.ts';

/** The subscriptions of all users, by id: a new key concerns the whole installation. */
export async function listSubscriptionSecrets(
  database: Queryable,
  after: string | null,
  limit: number,
): Promise<{ id: string; secret: string }[]> {
  const { rows } = await database.query<{ id: string; secret: string }>(
    `SELECT id, subscription AS secret FROM web_push_browsers WHERE $1::uuid IS NULL OR id > $1
      ORDER BY id LIMIT $2`,
    [after, limit],
  );
  return rows;
}

/** @returns false if it was changed meanwhile; that change is kept */
export async function updateSubscriptionSecret(
  database: Queryable,
  before: { id: string; secret: string },
  sealed: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'UPDATE web_push_browsers SET subscription = $3 WHERE id = $1 AND subscription = $2',
    [before.id, before.secret, sealed],
  );
  return rowCount === 1;
}

/** All key pairs by the names of their rows. The names stay: browsers refer to them. */
export async function listVapidSecrets(
  database: Queryable,
  after: string | null,
  limit: number,
): Promise<{ id: string; secret: string }[]> {
  const { rows } = await database.query<{ id: string; secret: string }>(
    `SELECT encryption_key AS id, private_key AS secret FROM web_push_keys WHERE $1::text IS NULL OR encryption_key > $1
      ORDER BY encryption_key LIMIT $2`,
    [after, limit],
  );
  return rows;
}

/** @returns false if it was changed meanwhile; that change is kept */
export async function updateVapidSecret(
  database: Queryable,
  before: { id: string; secret: string },
  sealed: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'UPDATE web_push_keys SET private_key = $3 WHERE encryption_key = $1 AND private_key = $2',
    [before.id, before.secret, sealed],
  );
  return rowCount === 1;
}

import type { Queryable } from '../../database/database.ts';

/** Secrets of all organizations, by id: a new key concerns the whole installation. */
export async function listTargetSecrets(
  database: Queryable,
  after: string | null,
  limit: number,
): Promise<{ id: string; secret: string }[]> {
  const { rows } = await database.query<{ id: string; secret: string }>(
    `SELECT id, secrets AS secret FROM notification_targets
      WHERE secrets IS NOT NULL AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2`,
    [after, limit],
  );
  return rows;
}

/** @returns false if they were changed meanwhile; that change is kept */
export async function updateTargetSecrets(
  database: Queryable,
  before: { id: string; secret: string },
  sealed: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'UPDATE notification_targets SET secrets = $3 WHERE id = $1 AND secrets = $2',
    [before.id, before.secret, sealed],
  );
  return rowCount === 1;
}

import type { Queryable } from '../../database/database.ts';
import type { ChannelKind } from '../channels/registry.ts';
import type { StoredConfig } from './config.ts';

export interface OpenSecretRow extends StoredConfig {
  id: string;
}

/** Targets of all organizations that have one of the fields unencrypted, by id. */
export async function listOpenSecrets(
  database: Queryable,
  { kind, names, after }: { kind: ChannelKind; names: readonly string[]; after: string | null },
  limit: number,
): Promise<OpenSecretRow[]> {
  const { rows } = await database.query<OpenSecretRow>(
    `SELECT id, config, secrets FROM notification_targets
      WHERE kind = $1 AND config ?| $2::text[] AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT $4`,
    [kind, names, after, limit],
  );
  return rows;
}

/** @returns false if it was changed meanwhile; that change is kept */
export async function updateSealed(
  database: Queryable,
  before: OpenSecretRow,
  { config, secrets }: StoredConfig,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `UPDATE notification_targets SET config = $4, secrets = $5
      WHERE id = $1 AND config = $2 AND secrets IS NOT DISTINCT FROM $3`,
    [before.id, JSON.stringify(before.config), before.secrets, JSON.stringify(config), secrets],
  );
  return rowCount === 1;
}

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

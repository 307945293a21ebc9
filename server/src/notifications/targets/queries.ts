import type { Queryable } from '../../database/database.ts';
import type { StoredConfig } from './config.ts';
import { TARGET_COLUMNS, type TargetRow } from './target.ts';

export async function listTargets(database: Queryable, organizationId: string): Promise<TargetRow[]> {
  const { rows } = await database.query<TargetRow>(
    `SELECT ${TARGET_COLUMNS} FROM notification_targets t WHERE organization_id = $1 ORDER BY id`,
    [organizationId],
  );
  return rows;
}

export async function countTargets(database: Queryable, organizationId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(*) AS count FROM notification_targets WHERE organization_id = $1',
    [organizationId],
  );
  return rows[0]?.count ?? 0;
}

/** @param lock locks the row until the transaction ends */
export async function findTarget(
  database: Queryable,
  organizationId: string,
  targetId: string,
  lock?: 'lock',
): Promise<TargetRow | null> {
  const { rows } = await database.query<TargetRow>(
    `SELECT ${TARGET_COLUMNS} FROM notification_targets t WHERE organization_id = $1 AND id = $2
      ${lock ? 'FOR NO KEY UPDATE' : ''}`,
    [organizationId, targetId],
  );
  return rows[0] ?? null;
}

export async function insertTarget(
  database: Queryable,
  target: Pick<
    TargetRow,
    | 'id'
    | 'organizationId'
    | 'kind'
    | 'name'
    | 'quietHours'
    | 'config'
    | 'secrets'
    | 'recipient'
    | 'createdAt'
    | 'madeByToken'
  >,
): Promise<void> {
  await database.query(
    `INSERT INTO notification_targets (id, organization_id, kind, name, config, secrets, created_at, updated_at, quiet_hours,
        made_by_token, recipient)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10)`,
    [
      target.id,
      target.organizationId,
      target.kind,
      target.name,
      JSON.stringify(target.config),
      target.secrets,
      target.createdAt,
      target.quietHours && JSON.stringify(target.quietHours),
      target.madeByToken,
      target.recipient,
    ],
  );
}

/** Stores a user's change, and clears the record of failures. @param isEnabled null: unchanged */
export async function updateTarget(
  database: Queryable,
  organizationId: string,
  target: StoredConfig &
    Pick<TargetRow, 'id' | 'name' | 'quietHours' | 'recipient' | 'updatedAt' | 'madeByToken'> & {
      isEnabled: boolean | null;
    },
): Promise<TargetRow | null> {
  const { rows } = await database.query<TargetRow>(
    `UPDATE notification_targets t SET name = $3, config = $4, secrets = $5, updated_at = $6, failing_since = NULL,
        failures = 0, refusals = 0, blocked_until = NULL, bucket_until = NULL, last_failure = NULL,
        disabled_at = CASE WHEN $7 THEN NULL WHEN NOT $7 THEN coalesce(disabled_at, $6) ELSE disabled_at END,
        disabled_reason = CASE WHEN $7 IS NULL THEN disabled_reason END, quiet_hours = $8,
        made_by_token = $9, recipient = $10
      WHERE organization_id = $1 AND id = $2 RETURNING ${TARGET_COLUMNS}`,
    [
      organizationId,
      target.id,
      target.name,
      JSON.stringify(target.config),
      target.secrets,
      target.updatedAt,
      target.isEnabled,
      target.quietHours && JSON.stringify(target.quietHours),
      target.madeByToken,
      target.recipient,
    ],
  );
  return rows[0] ?? null;
}

/** Stores a change that the service has found, such as the new id of a chat that has moved. */
export async function updateConfig(
  database: Queryable,
  organizationId: string,
  targetId: string,
  { config, secrets }: StoredConfig,
): Promise<void> {
  await database.query(
    'UPDATE notification_targets SET config = $3, secrets = $4 WHERE organization_id = $1 AND id = $2',
    [organizationId, targetId, JSON.stringify(config), secrets],
  );
}

/** Deletes a target with its routes and deliveries. */
export async function deleteTarget(
  database: Queryable,
  organizationId: string,
  targetId: string,
): Promise<TargetRow | null> {
  const { rows } = await database.query<TargetRow>(
    `DELETE FROM notification_targets t WHERE organization_id = $1 AND id = $2 RETURNING ${TARGET_COLUMNS}`,
    [organizationId, targetId],
  );
  return rows[0] ?? null;
}

/** Stores the result of a test: a target that works is no longer failing. */
export async function updateTested(
  database: Queryable,
  organizationId: string,
  targetId: string,
  now: Date,
): Promise<void> {
  await database.query(
    `UPDATE notification_targets SET failing_since = NULL, failures = 0, refusals = 0, blocked_until = NULL,
        bucket_until = NULL, last_success_at = $3
      WHERE organization_id = $1 AND id = $2`,
    [organizationId, targetId, now],
  );
}

/** The target has failed since its last success, or was disabled by the service. */
const IS_FAILING = '(disabled_at IS NULL AND failing_since IS NOT NULL OR disabled_reason IS NOT NULL)';

export async function hasFailingTarget(database: Queryable, organizationId: string): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM notification_targets WHERE organization_id = $1 AND ${IS_FAILING}) AS found`,
    [organizationId],
  );
  return rows[0]?.found === true;
}

/** Counts those of the whole installation, for its operators. */
export async function countFailingTargets(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM notification_targets WHERE ${IS_FAILING}`,
  );
  return rows[0]?.count ?? 0;
}

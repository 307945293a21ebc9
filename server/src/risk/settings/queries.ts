import { DEFAULT_SETTINGS, fieldKey } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import type { RiskSettings } from './schema.ts';

const COLUMNS = 'budget, rules, new_kinds AS "newKinds"';

/** A project's settings of the detector; the defaults until a user has changed them. */
export async function findRiskSettings(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<RiskSettings> {
  const { rows } = await database.query<RiskSettings>(
    `SELECT ${COLUMNS} FROM risk_settings
      WHERE project_id = (SELECT id FROM projects WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL)`,
    [organizationId, projectId],
  );
  return rows[0] ?? DEFAULT_SETTINGS;
}

/**
 * Stores the settings, and the conditions on fields with the project, where storing its events finds them. The clock is the
 * database's: the process that asks for later changes may run on another machine.
 */
export async function upsertRiskSettings(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { budget, rules, newKinds }: RiskSettings,
): Promise<void> {
  // Rules may share a condition: each is counted once.
  const fields = new Map(
    rules.flatMap(({ field }) => (field ? [[fieldKey(field), { key: fieldKey(field), ...field }]] : [])),
  );
  await database.query(
    `WITH counted AS (
        UPDATE projects SET counted_fields = $6 WHERE organization_id = $1 AND id = $2 AND counted_fields IS DISTINCT FROM $6
      )
      INSERT INTO risk_settings (project_id, budget, rules, new_kinds, updated_at)
      SELECT id, $3, $4, $5, clock_timestamp() FROM projects WHERE organization_id = $1 AND id = $2
      ON CONFLICT (project_id) DO UPDATE SET budget = excluded.budget, rules = excluded.rules,
        new_kinds = excluded.new_kinds, updated_at = excluded.updated_at`,
    [
      organizationId,
      projectId,
      budget,
      JSON.stringify(rules),
      newKinds,
      fields.size > 0 ? JSON.stringify([...fields.values()]) : null,
    ],
  );
}

interface ChangedSettings {
  projectId: string;
  settings: RiskSettings;
  updatedAt: Date;
}

/**
 * The settings of all live projects that were changed at a time or after it. A late commit is a moment older than
 * those read before it, so a reader that follows changes asks from some seconds before the newest that it has.
 */
export async function listRiskSettingsChangedSince(
  database: Queryable,
  since: Date,
): Promise<ChangedSettings[]> {
  const { rows } = await database.query<RiskSettings & { projectId: string; updatedAt: Date }>(
    `SELECT project_id AS "projectId", ${COLUMNS}, updated_at AS "updatedAt"
      FROM risk_settings JOIN projects ON projects.id = project_id AND deleted_at IS NULL
      WHERE updated_at >= $1 ORDER BY updated_at, project_id`,
    [since],
  );
  return rows.map(({ projectId, updatedAt, ...settings }) => ({ projectId, settings, updatedAt }));
}

/** Time of the newest change of any settings; null: there was none. */
export async function findNewestSettings(database: Queryable): Promise<Date | null> {
  const { rows } = await database.query<{ newest: Date | null }>(
    'SELECT max(updated_at) AS newest FROM risk_settings',
  );
  return rows[0]?.newest ?? null;
}

/** The settings of those of these projects that ever changed them. */
export async function listRiskSettingsOf(
  database: Queryable,
  projectIds: string[],
): Promise<{ projectId: string; settings: RiskSettings }[]> {
  const { rows } = await database.query<RiskSettings & { projectId: string }>(
    `SELECT project_id AS "projectId", ${COLUMNS} FROM risk_settings WHERE project_id = ANY ($1)`,
    [projectIds],
  );
  return rows.map(({ projectId, ...settings }) => ({ projectId, settings }));
}

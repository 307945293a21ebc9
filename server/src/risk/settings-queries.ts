import type { Queryable } from '../platform/database.ts';
import { DEFAULT_SETTINGS, type RiskSettings } from './schema.ts';

const COLUMNS = 'budget, rules, new_kinds AS "newKinds"';

/** What a project asks of the detector; the defaults until somebody has changed them. */
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

/** The clock is the database's: whoever asks what has changed since stands on another machine. */
export async function upsertRiskSettings(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { budget, rules, newKinds }: RiskSettings,
): Promise<void> {
  await database.query(
    `INSERT INTO risk_settings (project_id, budget, rules, new_kinds, updated_at)
      SELECT id, $3, $4, $5, clock_timestamp() FROM projects WHERE organization_id = $1 AND id = $2
      ON CONFLICT (project_id) DO UPDATE SET budget = excluded.budget, rules = excluded.rules,
        new_kinds = excluded.new_kinds, updated_at = excluded.updated_at`,
    [organizationId, projectId, budget, JSON.stringify(rules), newKinds],
  );
}

/**
 * The settings of all live projects that were changed at a time or after it; null: all that were ever changed. What
 * commits late is a moment older than what was seen before it, so whoever follows changes asks from some seconds
 * before the newest that he has.
 */
export async function listRiskSettingsChangedSince(
  database: Queryable,
  since: Date | null,
): Promise<{ projectId: string; settings: RiskSettings; updatedAt: Date }[]> {
  const { rows } = await database.query<RiskSettings & { projectId: string; updatedAt: Date }>(
    `SELECT project_id AS "projectId", ${COLUMNS}, updated_at AS "updatedAt"
      FROM risk_settings JOIN projects ON projects.id = project_id AND deleted_at IS NULL
      WHERE updated_at >= coalesce($1, '-infinity'::timestamptz) ORDER BY updated_at, project_id`,
    [since],
  );
  return rows.map(({ projectId, updatedAt, ...settings }) => ({ projectId, settings, updatedAt }));
}

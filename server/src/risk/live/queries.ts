import { DEFAULT_SETTINGS } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import type { RiskSettings } from '../settings/schema.ts';

/** Limits how long each further statement of the transaction runs. */
export async function setStatementTimeout(transaction: Queryable, timeoutMs: number): Promise<void> {
  await transaction.query(`SELECT set_config('statement_timeout', $1, true)`, [`${Math.ceil(timeoutMs)}ms`]);
}

/**
 * Lets a transaction be idle for ten minutes instead of ten seconds: a round after a long absence of workers computes
 * for longer, and PostgreSQL would end it at each retry.
 */
export async function setIdleTimeout(transaction: Queryable): Promise<void> {
  await transaction.query(`SELECT set_config('idle_in_transaction_session_timeout', '10min', true)`);
}

export interface InitialState {
  organizationId: string;
  projectId: string;
  settings: RiskSettings;
  /** Number of its first incident: above those of earlier detectors. */
  firstIncident: number;
  /** True if it is queued to be rebuilt. */
  isRebuilt: boolean;
}

/** Initial states of detectors of these projects; deleted projects are left out. */
export async function listNewProjects(database: Queryable, projectIds: string[]): Promise<InitialState[]> {
  const { rows } = await database.query<Omit<InitialState, 'settings'> & { settings: RiskSettings | null }>(
    `SELECT p.organization_id AS "organizationId", p.id AS "projectId",
        EXISTS (SELECT FROM risk_rebuilds r WHERE r.project_id = p.id) AS "isRebuilt",
        CASE WHEN s.project_id IS NOT NULL THEN jsonb_build_object(
          'budget', s.budget, 'rules', s.rules, 'newKinds', s.new_kinds) END AS settings,
        (SELECT coalesce(max(risk_number), 0) + 1 FROM incidents i WHERE i.project_id = p.id) AS "firstIncident"
      FROM projects p LEFT JOIN risk_settings s ON s.project_id = p.id
      WHERE p.id = ANY ($1) AND p.deleted_at IS NULL`,
    [projectIds],
  );
  return rows.map(({ settings, ...row }) => ({ ...row, settings: settings ?? DEFAULT_SETTINGS }));
}

/** The resolved ones of these incidents, which are given by project and number. */
export async function listResolved(
  database: Queryable,
  incidents: { projectId: string; incident: number }[],
): Promise<{ projectId: string; incident: number }[]> {
  const { rows } = await database.query<{ projectId: string; incident: number }>(
    `SELECT i.project_id AS "projectId", i.risk_number AS incident FROM incidents i
      JOIN unnest($1::uuid[], $2::int[]) AS asked (project_id, risk_number) USING (project_id, risk_number)
      WHERE i.status = 'resolved' ORDER BY 1, 2`,
    [incidents.map(({ projectId }) => projectId), incidents.map(({ incident }) => incident)],
  );
  return rows;
}

import { DEFAULT_SETTINGS } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { latestHold } from '../../platform/stored-times.ts';
import type { RiskSettings } from '../settings/schema.ts';

/**
 * Acquires or renews a lease and locks its row until the transaction ends. The clock is the database's: the holders
 * run on machines whose clocks differ.
 * @returns true if the holder has it now; false while another's has not expired
 */
export async function acquireLease(
  database: Queryable,
  lease: { name: string; holderId: string; durationMs: number },
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'acquire-lease',
    text: `INSERT INTO leases AS l (name, holder_id, expires_at)
      VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3::float8 / 1000))
      ON CONFLICT (name) DO UPDATE SET holder_id = excluded.holder_id, expires_at = excluded.expires_at
        WHERE l.holder_id = excluded.holder_id OR l.expires_at <= clock_timestamp()
          OR l.expires_at > clock_timestamp() + make_interval(secs => $4::float8 / 1000)`,
    values: [lease.name, lease.holderId, lease.durationMs, latestHold(0, lease.durationMs)],
  });
  return rowCount === 1;
}

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

export async function deleteLease(database: Queryable, name: string, holderId: string): Promise<void> {
  await database.query('DELETE FROM leases WHERE name = $1 AND holder_id = $2', [name, holderId]);
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

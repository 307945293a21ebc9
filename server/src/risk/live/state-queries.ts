import type { Queryable } from '../../database/database.ts';

/** A saved detector. Times are those of the detectors. */
export interface SavedState {
  projectId: string;
  state: Uint8Array;
  /** Last round that is part of it. */
  round: number;
  /** Size in memory, in series. */
  series: number;
  /** Time up to which it was evaluated. */
  timeMs: number;
  /** When events came last. */
  activeMs: number;
  /** Time until which it is offloaded at most; null: it is in memory. */
  visitMs: number | null;
}

/** Size of a saved detector, known without loading it. */
export interface StateSize {
  projectId: string;
  round: number;
  series: number;
}

const SIZE = 'project_id AS "projectId", round, series';

/** @returns true if the project still exists: the state of a deleted one is not kept */
export async function upsertState(
  database: Queryable,
  { projectId, state, round, series, timeMs, activeMs, visitMs }: SavedState,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `INSERT INTO risk_state (project_id, state, round, series, time_ms, active_ms, visit_ms)
      SELECT id, $2, $3, $4, $5, $6, $7 FROM projects WHERE id = $1 AND deleted_at IS NULL
      ON CONFLICT (project_id) DO UPDATE SET state = excluded.state, round = excluded.round,
        series = excluded.series, time_ms = excluded.time_ms, active_ms = excluded.active_ms,
        visit_ms = excluded.visit_ms`,
    [projectId, state, round, series, Math.floor(timeMs), Math.floor(activeMs), visitMs],
  );
  return rowCount === 1;
}

export async function deleteState(database: Queryable, projectId: string): Promise<void> {
  await database.query('DELETE FROM risk_state WHERE project_id = $1', [projectId]);
}

/** Removes all states. @returns what is known without them */
export async function takeAllStates(database: Queryable): Promise<Omit<LoadedState, 'state' | 'round'>[]> {
  const { rows } = await database.query<Omit<LoadedState, 'state' | 'round'>>(
    `DELETE FROM risk_state RETURNING project_id AS "projectId", active_ms AS "activeMs",
      CASE WHEN visit_ms IS NOT NULL THEN time_ms END AS "offloadedMs"`,
  );
  return rows;
}

export interface LoadedState {
  projectId: string;
  state: Buffer;
  round: number;
  activeMs: number;
  /** Time up to which it was evaluated, if it was offloaded. */
  offloadedMs: number | null;
}

/** The states of these projects that a round is not part of: they are in memory from now on. */
export async function takeStates(
  database: Queryable,
  projectIds: string[],
  beforeRound: number,
): Promise<LoadedState[]> {
  const { rows } = await database.query<LoadedState>(
    `UPDATE risk_state s SET visit_ms = NULL
      FROM (SELECT project_id, visit_ms FROM risk_state WHERE project_id = ANY ($1) AND round < $2 FOR UPDATE) AS before
      WHERE s.project_id = before.project_id
      RETURNING s.project_id AS "projectId", s.state, s.round, s.active_ms AS "activeMs",
        CASE WHEN before.visit_ms IS NOT NULL THEN s.time_ms END AS "offloadedMs"`,
    [projectIds, beforeRound],
  );
  return rows;
}

export async function listStateSizes(database: Queryable, projectIds: string[]): Promise<StateSize[]> {
  const { rows } = await database.query<StateSize>(
    `SELECT ${SIZE} FROM risk_state WHERE project_id = ANY ($1)`,
    [projectIds],
  );
  return rows;
}

/** Saved sizes of all projects in the organizations of some projects; 0: nothing is saved. */
export async function listSeriesOfOrganizations(
  database: Queryable,
  projectIds: string[],
): Promise<{ organizationId: string; projectId: string; series: number }[]> {
  const { rows } = await database.query<{ organizationId: string; projectId: string; series: number }>(
    `SELECT p.organization_id AS "organizationId", p.id AS "projectId",
        coalesce(s.series, 0) AS series
      FROM projects p LEFT JOIN risk_state s ON s.project_id = p.id
      WHERE p.organization_id IN (SELECT organization_id FROM projects WHERE id = ANY ($1)) AND p.deleted_at IS NULL`,
    [projectIds],
  );
  return rows;
}

/** Sizes of those that were in memory, by their last events, the newest first. */
export async function listHottest(database: Queryable, limit: number): Promise<StateSize[]> {
  const { rows } = await database.query<StateSize>(
    `SELECT ${SIZE} FROM risk_state WHERE visit_ms IS NULL
      ORDER BY active_ms DESC, project_id LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Sizes of those that were in memory, sorted by id. */
export async function listInMemoryAfter(
  database: Queryable,
  projectId: string,
  limit: number,
): Promise<StateSize[]> {
  const { rows } = await database.query<StateSize>(
    `SELECT ${SIZE} FROM risk_state WHERE visit_ms IS NULL AND project_id > $1 ORDER BY project_id LIMIT $2`,
    [projectId, limit],
  );
  return rows;
}

/** Offloads projects whose saved state is still correct. */
export async function updateVisits(
  database: Queryable,
  projectIds: string[],
  visitMs: number,
): Promise<void> {
  await database.query('UPDATE risk_state SET visit_ms = $2 WHERE project_id = ANY ($1)', [
    projectIds,
    visitMs,
  ]);
}

/** Offloaded projects whose next evaluation is due, the longest waiting first. */
export async function listDueVisits(
  database: Queryable,
  timeMs: number,
  limit: number,
): Promise<(StateSize & { timeMs: number })[]> {
  const { rows } = await database.query<StateSize & { timeMs: number }>(
    `SELECT ${SIZE}, time_ms AS "timeMs" FROM risk_state
      WHERE visit_ms <= $1 ORDER BY visit_ms LIMIT $2`,
    [Math.floor(timeMs), limit],
  );
  return rows;
}

export async function countOffloaded(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(*) AS count FROM risk_state WHERE visit_ms IS NOT NULL',
  );
  return rows[0]?.count ?? 0;
}

/** Time up to which the detector that is furthest behind was evaluated; null: nothing is saved. */
export async function findOldestTime(database: Queryable): Promise<number | null> {
  const { rows } = await database.query<{ timeMs: number | null }>(
    'SELECT min(time_ms) AS "timeMs" FROM risk_state',
  );
  return rows[0]?.timeMs ?? null;
}

import type { Queryable } from '../../database/database.ts';
import { fromStoredRound, type Progress, type StoredRound } from '../live/journal-queries.ts';
import type { Round } from '../live/round.ts';

/** The saved detector of a project, and the rounds since then. */
export interface SavedDetector {
  /** Null: not saved yet. */
  state: Buffer | null;
  progress: Pick<Progress, 'timeMs' | 'shiftMs' | 'pastDowntimes'>;
  /** Rounds that are not part of the state, the oldest first, with the data of this project. */
  rounds: Round[];
}

/**
 * In one statement, and so of one moment: saving a state deletes the rounds that are part of it.
 * @returns null if detection has never run, or the project does not exist
 */
export async function findSavedDetector(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<SavedDetector | null> {
  const { rows } = await database.query<Omit<SavedDetector, 'rounds'> & { rounds: StoredRound[] }>(
    `SELECT s.state, coalesce(since.rounds, '[]') AS rounds, jsonb_build_object('timeMs', progress.time_ms,
        'shiftMs', progress.shift_ms, 'pastDowntimes', coalesce(progress.gaps, '[]')) AS progress
      FROM projects p CROSS JOIN risk_progress progress
      LEFT JOIN risk_state s ON s.project_id = p.id
      CROSS JOIN LATERAL (
        SELECT jsonb_agg(r - '{counts,errors,arrivals,maxSeries,begun,set,resolved,visited}'::text[] || jsonb_build_object(
            'counts', jsonb_build_object(p.id, coalesce(r->'counts'->(p.id::text), '[]')),
            'errors', jsonb_build_object(p.id, coalesce(r->'errors'->(p.id::text), '[]')),
            'arrivals', jsonb_build_object(p.id, r->'arrivals'->(p.id::text)),
            'maxSeries', CASE WHEN r->'maxSeries' ? p.id::text
              THEN jsonb_build_object(p.id, r->'maxSeries'->(p.id::text)) ELSE '{}' END,
            'begun', jsonb_path_query_array(r, '$.begun[*] ? (@.projectId == $id)', id.value),
            'set', jsonb_path_query_array(r, '$.set[*] ? (@.projectId == $id)', id.value),
            'resolved', jsonb_path_query_array(r, '$.resolved[*] ? (@.projectId == $id)', id.value)
          ) ORDER BY risk_rounds.id) AS rounds
        FROM risk_rounds CROSS JOIN LATERAL (SELECT round::jsonb AS r) AS parsed
          CROSS JOIN LATERAL (SELECT jsonb_build_object('id', p.id) AS value) AS id
        WHERE risk_rounds.id > coalesce(s.round, 0)
      ) AS since
      WHERE p.organization_id = $1 AND p.id = $2 AND p.deleted_at IS NULL`,
    [organizationId, projectId],
  );
  const [row] = rows;
  return row ? { ...row, rounds: row.rounds.map(fromStoredRound) } : null;
}

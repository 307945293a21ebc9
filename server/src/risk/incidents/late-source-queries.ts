import type { SteadyLateSource } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';

export interface LateSourceRow {
  source: string | null;
  behindMs: number;
  since: Date;
}

export async function listLateSources(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<LateSourceRow[]> {
  const { rows } = await database.query<LateSourceRow>(
    `SELECT source, behind_ms AS "behindMs", since FROM risk_late_sources
      WHERE project_id = (SELECT id FROM projects WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL)
      ORDER BY source NULLS FIRST`,
    [organizationId, projectId],
  );
  return rows;
}

export async function deleteLateSources(database: Queryable, projectId: string): Promise<void> {
  await database.query('DELETE FROM risk_late_sources WHERE project_id = $1', [projectId]);
}

/** @param shiftMs how far the time of the detectors is ahead of the clocks */
export async function insertLateSources(
  database: Queryable,
  projectId: string,
  sources: SteadyLateSource[],
  shiftMs: number,
): Promise<void> {
  await database.query(
    `INSERT INTO risk_late_sources (project_id, source, behind_ms, since)
      SELECT $1, source, behind_ms, to_timestamp(since_ms / 1000)
      FROM unnest($2::text[], $3::float8[], $4::float8[]) AS late (source, behind_ms, since_ms)`,
    [
      projectId,
      sources.map(({ source }) => source),
      sources.map(({ behindMs }) => behindMs),
      sources.map(({ sinceMs }) => sinceMs - shiftMs),
    ],
  );
}

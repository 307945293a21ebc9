import type { Queryable } from '../../database/database.ts';
import { latestHold } from '../../platform/stored-times.ts';

/** Delay after the first failure. Consecutive failures double it, from a minute to six hours. */
const FIRST_DELAY_MS = 60_000;
const MAX_DELAY_MS = 6 * 60 * 60_000;
const MAX_DOUBLINGS = 10;

/** A project that is not evaluated until a time, because its detector failed. */
export interface ProjectExclusion {
  failures: number;
  failedAt: Date;
  retryAt: Date;
}

function latestRetry(now: Date): Date {
  return new Date(latestHold(now.getTime(), MAX_DELAY_MS));
}

/** Records one more failure of a project; does nothing if it is deleted. */
export async function upsertExclusion(
  database: Queryable,
  projectId: string,
  now: Date,
): Promise<ProjectExclusion | null> {
  const { rows } = await database.query<ProjectExclusion>(
    `INSERT INTO risk_excluded_projects AS excluded_project (project_id, failures, failed_at, retry_at)
      SELECT id, 1, $2, $2::timestamptz + make_interval(secs => $3::float8 / 1000)
      FROM projects WHERE id = $1 AND deleted_at IS NULL
      ON CONFLICT (project_id) DO UPDATE SET failures = excluded_project.failures + 1, failed_at = excluded.failed_at,
        retry_at = $2::timestamptz + make_interval(
          secs => least($3::float8 * 2 ^ least(excluded_project.failures, $5::int), $4::float8) / 1000)
      RETURNING failures, failed_at AS "failedAt", retry_at AS "retryAt"`,
    [projectId, now, FIRST_DELAY_MS, MAX_DELAY_MS, MAX_DOUBLINGS],
  );
  return rows[0] ?? null;
}

export async function listExcludedIds(database: Queryable, now: Date): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    'SELECT project_id AS id FROM risk_excluded_projects WHERE retry_at > $1 AND retry_at <= $2',
    [now, latestRetry(now)],
  );
  return rows.map(({ id }) => id);
}

export async function countExcluded(database: Queryable, now: Date): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(*) AS count FROM risk_excluded_projects WHERE retry_at > $1 AND retry_at <= $2',
    [now, latestRetry(now)],
  );
  return rows[0]?.count ?? 0;
}

export async function findExclusion(
  database: Queryable,
  organizationId: string,
  projectId: string,
  now: Date,
): Promise<ProjectExclusion | null> {
  const { rows } = await database.query<ProjectExclusion>(
    `SELECT failures, failed_at AS "failedAt", retry_at AS "retryAt" FROM risk_excluded_projects
      WHERE retry_at > $3 AND retry_at <= $4
        AND project_id = (SELECT id FROM projects WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL)`,
    [organizationId, projectId, now, latestRetry(now)],
  );
  return rows[0] ?? null;
}

/** Forgets the failures of projects that have not failed for a day: the next one has the shortest delay. */
export async function deleteExclusionsBefore(database: Queryable, retriedBefore: Date): Promise<void> {
  await database.query('DELETE FROM risk_excluded_projects WHERE retry_at < $1', [retriedBefore]);
}

import type { UnlearnedTime } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';

export interface ProjectUnlearnedTime {
  projectId: string;
  time: UnlearnedTime;
}

/**
 * The times from which series learn nothing, by silences, that end after a time, sorted by creation. One of an
 * organization is listed for each of its projects. For all projects, since a round covers all of them: few silences
 * are of this kind.
 */
export async function listUnlearnedTimes(
  database: Queryable,
  since: Date,
  projectId: string | null = null,
): Promise<ProjectUnlearnedTime[]> {
  const { rows } = await database.query<UnlearnedTime & { projectId: string }>(
    `SELECT p.id AS "projectId", s.type, s.severity, s.source,
        (extract(epoch FROM s.starts_at) * 1000)::float8 AS "fromMs",
        (extract(epoch FROM least(s.until, s.ended_at)) * 1000)::float8 AS "untilMs"
      FROM silences s
        JOIN projects p ON p.organization_id = s.organization_id AND (s.project_id IS NULL OR s.project_id = p.id)
      WHERE NOT s.learn AND least(s.until, s.ended_at) > $1 AND ($2::uuid IS NULL OR p.id = $2)
      ORDER BY s.id`,
    [since, projectId],
  );
  return rows.map(({ projectId: ofProject, ...time }) => ({ projectId: ofProject, time }));
}

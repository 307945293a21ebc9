import type { Queryable } from '../database/database.ts';
import { isWatchedName } from '../environments/numbers.ts';
import { compareReleases, findLatestRelease, type SeenRelease } from '../releases/compare-releases.ts';

/** Compares two releases of a project; negative: the first one is the older one. */
export type ReleaseOrders = (projectId: string, left: string, right: string) => number;

/** Maximum newest releases of a project that are candidates for the latest one. */
const MAX_LATEST_CANDIDATES = 1_000;

/**
 * Orders releases. A release of a stored event is known, in the same transaction; one of a resolution may have been
 * removed by retention since. That is older than all known ones, so that a newer one reopens.
 */
export async function listReleaseOrders(
  database: Queryable,
  releases: readonly { projectId: string; release: string }[],
): Promise<ReleaseOrders> {
  const numbers = new Map<string, number>();
  if (releases.length > 0) {
    const { rows } = await database.query<{ projectId: string; version: string; number: number }>(
      `SELECT project_id AS "projectId", version, number FROM releases
        JOIN unnest($1::uuid[], $2::text[]) AS wanted (project, release) ON project = project_id AND release = version`,
      [releases.map(({ projectId }) => projectId), releases.map(({ release }) => release)],
    );
    for (const { projectId, version, number } of rows) numbers.set(`${projectId} ${version}`, number);
  }
  return (projectId, left, right) => {
    const numbered = (version: string) => ({
      version,
      number: numbers.get(`${projectId} ${version}`) ?? 0,
    });
    return compareReleases(numbered(left), numbered(right));
  };
}

type CandidateRelease = SeenRelease & { projectId: string; hasEvents: boolean };

/** Releases of projects that had events, or were deployed to a watched environment; the newest ones of many. */
async function listCandidates(
  database: Queryable,
  projectIds: readonly string[],
): Promise<CandidateRelease[]> {
  const { rows } = await database.query<CandidateRelease>(
    `SELECT project.id AS "projectId", version, number, users, "isDeployed", first_seen IS NOT NULL AS "hasEvents"
      FROM unnest($1::uuid[]) AS project (id) CROSS JOIN LATERAL (
        SELECT version, number, users, first_seen, EXISTS (
            SELECT FROM deploys AS d WHERE d.project_id = r.project_id AND d.release = r.version
              AND ${isWatchedName('d.environment', 'd.project_id')}
          ) AS "isDeployed"
        FROM releases AS r WHERE project_id = project.id
        ORDER BY number DESC LIMIT ${MAX_LATEST_CANDIDATES}
      ) AS newest
      WHERE "isDeployed" OR first_seen IS NOT NULL`,
    [projectIds],
  );
  return rows;
}

/** The newest release of each project; projects without any are left out. */
export async function listLatestReleases(
  database: Queryable,
  projectIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await listCandidates(database, projectIds);
  const latest = new Map<string, string>();
  for (const projectId of new Set(rows.map((row) => row.projectId))) {
    const found = findLatestRelease(rows.filter((row) => row.projectId === projectId));
    if (found) latest.set(projectId, found.version);
  }
  return latest;
}

/**
 * Finds the release that ran before another one: the newest older one with events. Null: there is none, or the release is
 * not among the newest of the project.
 */
export async function findReleaseBefore(
  database: Queryable,
  projectId: string,
  version: string,
): Promise<string | null> {
  const rows = await listCandidates(database, [projectId]);
  const own = rows.find((row) => row.version === version);
  if (!own) return null;
  const older = rows.filter((row) => row.hasEvents && compareReleases(row, own) < 0);
  return findLatestRelease(older)?.version ?? null;
}

import type { Queryable } from '../database/database.ts';
import { isWatchedName } from '../environments/numbers.ts';
import { LIVE_PROJECTS } from '../tenancy/projects/queries.ts';
import type { DeployRow, NewDeployRow, ReleaseRow, ReleaseSort } from './schema.ts';

const RELEASE_COLUMNS = `project_id AS "projectId", version, number, first_seen AS "firstSeen", last_seen AS "lastSeen",
  coalesce(deployed_at, first_seen) AS "deployedAt", events, errors, new_groups AS "newGroups"`;
const DEPLOY_COLUMNS = `id, project_id AS "projectId", release, environment, deployed_at AS "deployedAt",
  user_id AS "userId", created_at AS "createdAt", ${isWatchedName('deploys.environment', 'deploys.project_id')} AS "isWatched"`;

export interface ReleaseFilter {
  /** Null: all projects of the organization. */
  projectId: string | null;
  deployedAfter: Date | null;
  deployedBefore: Date | null;
  sort: ReleaseSort;
  /** Last release of the previous page, as it was then. */
  after: { value: number; number: number } | null;
  limit: number;
}

const millisecondsOf = (time: string) => `(extract(epoch FROM ${time}) * 1000)::bigint`;

/** SQL: a time is after $4 and before $5, each of which may be null. */
const isWithin = (time: string) =>
  `($4::timestamptz IS NULL OR ${time} > $4) AND ($5::timestamptz IS NULL OR ${time} < $5)`;

/** Sort values of a list, as a cursor has them. */
const VALUES: Record<ReleaseSort, string> = {
  last_seen: millisecondsOf('coalesce(last_seen, deployed_at)'),
  first_seen: millisecondsOf('coalesce(first_seen, deployed_at)'),
  errors: 'errors',
};

/**
 * The largest first, then the last that appeared; one more than `limit`, so that the caller knows if there is a next
 * page.
 */
export async function listReleases(
  database: Queryable,
  organizationId: string,
  { projectId, deployedAfter, deployedBefore, sort, after, limit }: ReleaseFilter,
): Promise<(ReleaseRow & { value: number })[]> {
  const { rows } = await database.query<ReleaseRow & { value: number }>(
    `SELECT ${RELEASE_COLUMNS}, ${VALUES[sort]} AS value FROM releases
      WHERE ${LIVE_PROJECTS} AND ($2::uuid IS NULL OR project_id = $2)
        AND ($3::bigint IS NULL OR (${VALUES[sort]}, number) < ($3, $7::bigint))
        AND (${isWithin('coalesce(deployed_at, first_seen)')} OR ${isWithin('first_seen')} AND NOT EXISTS (
          SELECT FROM deploys WHERE deploys.project_id = releases.project_id AND deploys.release = version
            AND ${isWatchedName('deploys.environment', 'deploys.project_id')}))
      ORDER BY value DESC, number DESC LIMIT $6 + 1`,
    [organizationId, projectId, after?.value, deployedAfter, deployedBefore, limit, after?.number],
  );
  return rows;
}

/** Releases of live projects of the organization; in no order. */
export async function listReleasesByVersion(
  database: Queryable,
  organizationId: string,
  releases: readonly { projectId: string; version: string }[],
): Promise<ReleaseRow[]> {
  const { rows } = await database.query<ReleaseRow>(
    `SELECT ${RELEASE_COLUMNS} FROM releases
      WHERE ${LIVE_PROJECTS} AND (project_id, version) IN (SELECT * FROM unnest($2::uuid[], $3::text[]))`,
    [organizationId, releases.map(({ projectId }) => projectId), releases.map(({ version }) => version)],
  );
  return rows;
}

export interface DeployFilter {
  projectId: string;
  release: string | null;
  environment: string | null;
  after: Date | null;
  before: Date | null;
  /** Id of the last deploy of the previous page. */
  cursor: string | null;
  limit: number;
}

/** The newest first; one more than `limit`. */
export async function listDeploys(
  database: Queryable,
  organizationId: string,
  { projectId, release, environment, after, before, cursor, limit }: DeployFilter,
): Promise<DeployRow[]> {
  const { rows } = await database.query<DeployRow>(
    `SELECT ${DEPLOY_COLUMNS} FROM deploys
      WHERE ${LIVE_PROJECTS} AND project_id = $2 AND ($3::text IS NULL OR release = $3)
        AND ($4::text IS NULL OR environment = $4) AND ($5::timestamptz IS NULL OR deployed_at > $5)
        AND ($6::timestamptz IS NULL OR deployed_at < $6)
        AND ($7::uuid IS NULL OR (deployed_at, id) < (
          SELECT last.deployed_at, last.id FROM deploys AS last WHERE last.id = $7 AND last.project_id = $2))
      ORDER BY deployed_at DESC, id DESC LIMIT $8 + 1`,
    [organizationId, projectId, release, environment, after, before, cursor, limit],
  );
  return rows;
}

/** Deploys of live projects of the organization; in no order. */
export async function listDeploysById(
  database: Queryable,
  organizationId: string,
  deployIds: readonly string[],
): Promise<DeployRow[]> {
  if (deployIds.length === 0) return [];
  const { rows } = await database.query<DeployRow>(
    `SELECT ${DEPLOY_COLUMNS} FROM deploys WHERE ${LIVE_PROJECTS} AND id = ANY ($2::uuid[])`,
    [organizationId, deployIds],
  );
  return rows;
}

/** @returns false if that release was deployed to that environment before: it is the same deploy */
export async function insertDeploy(database: Queryable, deploy: NewDeployRow): Promise<boolean> {
  const { rowCount } = await database.query(
    `INSERT INTO deploys (id, project_id, release, environment, deployed_at, user_id, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (project_id, release, environment) DO NOTHING`,
    [
      deploy.id,
      deploy.projectId,
      deploy.release,
      deploy.environment,
      deploy.deployedAt,
      deploy.userId,
      deploy.createdAt,
    ],
  );
  return rowCount === 1;
}

export async function findDeploy(
  database: Queryable,
  projectId: string,
  release: string,
  environment: string,
): Promise<DeployRow | null> {
  const { rows } = await database.query<DeployRow>(
    `SELECT ${DEPLOY_COLUMNS} FROM deploys WHERE project_id = $1 AND release = $2 AND environment = $3`,
    [projectId, release, environment],
  );
  return rows[0] ?? null;
}

/** The release of a deploy, with the time of its first one. */
export async function upsertDeployedRelease(
  database: Queryable,
  { projectId, release, deployedAt }: NewDeployRow,
): Promise<void> {
  await database.query(
    `INSERT INTO releases AS r (project_id, version, deployed_at) VALUES ($1, $2, $3)
      ON CONFLICT (project_id, version) DO UPDATE SET deployed_at = least(r.deployed_at, excluded.deployed_at)`,
    [projectId, release, deployedAt],
  );
}

/** Maximum releases of a project that a command line has named and that are remembered. */
const MAX_NAMED_RELEASES = 200;

/** Remembers that a release is of a project; the oldest ones beyond the maximum are forgotten. */
export async function upsertNamedRelease(
  database: Queryable,
  projectId: string,
  version: string,
  now: Date,
): Promise<void> {
  await database.query(
    `WITH forgotten AS (
        DELETE FROM named_releases WHERE project_id = $1 AND version IN (
          SELECT version FROM named_releases WHERE project_id = $1 AND version <> $2
          ORDER BY named_at DESC, version OFFSET ${MAX_NAMED_RELEASES - 1})
      )
      INSERT INTO named_releases (project_id, version, named_at) VALUES ($1, $2, $3)
      ON CONFLICT (project_id, version) DO UPDATE SET named_at = excluded.named_at`,
    [projectId, version, now],
  );
}

/** UUIDs of the organization's live projects that know a release, by a command line, an event or a deploy. */
export async function listProjectsOfRelease(
  database: Queryable,
  organizationId: string,
  version: string,
): Promise<string[]> {
  const { rows } = await database.query<{ projectId: string }>(
    `SELECT project_id AS "projectId" FROM named_releases WHERE ${LIVE_PROJECTS} AND version = $2
      UNION SELECT project_id FROM releases WHERE ${LIVE_PROJECTS} AND version = $2 ORDER BY 1`,
    [organizationId, version],
  );
  return rows.map(({ projectId }) => projectId);
}

/** Counts groups in the releases that they began with, whose rows the transaction has written before. */
export async function addNewGroups(
  database: Queryable,
  begun: readonly { projectId: string; release: string }[],
): Promise<void> {
  await database.query(
    `UPDATE releases AS r SET new_groups = r.new_groups + begun.groups
      FROM (
        SELECT project_id, release, count(*) AS groups
        FROM unnest($1::uuid[], $2::text[]) AS named (project_id, release) GROUP BY 1, 2
      ) AS begun WHERE r.project_id = begun.project_id AND r.version = begun.release`,
    [begun.map(({ projectId }) => projectId), begun.map(({ release }) => release)],
  );
}

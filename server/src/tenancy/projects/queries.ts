import type { Static } from 'typebox';
import type { Queryable } from '../../database/database.ts';
import { assert } from '../../platform/assert.ts';
import type { Ledger, ProjectRow } from './schema.ts';

/** Maximum age of the last report of an ingestion process that runs. */
const PRESENT_MS = 15_000;

export const PROJECT_COLUMNS =
  'id, organization_id AS "organizationId", name, environment, group_prefix AS "groupPrefix", former_prefixes AS "formerGroupPrefixes", created_at AS "createdAt", number, scrubbing, retention, sample_above AS "sampleAbove"';

/**
 * A condition on a table with a `project_id`, for the organization in `$1`; evaluated once per query. It hides the
 * data of deleted projects that is not purged yet.
 */
export const LIVE_PROJECTS = `project_id = ANY (ARRAY(
  SELECT id FROM projects WHERE organization_id = $1 AND deleted_at IS NULL))`;

/** Fields that the database sets. */
type DefaultField = 'formerGroupPrefixes' | 'number' | 'scrubbing' | 'retention' | 'sampleAbove';

/** @returns the project with its number, and with what it chooses by default */
export async function insertProject(
  database: Queryable,
  project: Omit<ProjectRow, DefaultField>,
): Promise<ProjectRow> {
  const { rows } = await database.query<Pick<ProjectRow, DefaultField>>(
    `INSERT INTO projects (id, organization_id, name, environment, group_prefix, created_at)
      VALUES ($1, $2, $3, $4, $5, $6)
      RETURNING former_prefixes AS "formerGroupPrefixes", number, scrubbing, retention, sample_above AS "sampleAbove"`,
    [
      project.id,
      project.organizationId,
      project.name,
      project.environment,
      project.groupPrefix,
      project.createdAt,
    ],
  );
  const [inserted] = rows;
  assert(inserted !== undefined, 'The inserted project has no row.');
  return { ...project, ...inserted };
}

export async function listProjects(database: Queryable, organizationId: string): Promise<ProjectRow[]> {
  const { rows } = await database.query<ProjectRow>(
    `SELECT ${PROJECT_COLUMNS} FROM projects WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY id DESC`,
    [organizationId],
  );
  return rows;
}

/** Newest first; one more than `limit`, so that the caller knows if there is a next page. */
export async function listProjectPage(
  database: Queryable,
  organizationId: string,
  page: { cursor: string | null; limit: number },
): Promise<ProjectRow[]> {
  const { rows } = await database.query<ProjectRow>(
    `SELECT ${PROJECT_COLUMNS} FROM projects
      WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR id < $2)
      ORDER BY id DESC LIMIT $3 + 1`,
    [organizationId, page.cursor, page.limit],
  );
  return rows;
}

export async function findProject(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<ProjectRow | null> {
  const { rows } = await database.query<ProjectRow>(
    `SELECT ${PROJECT_COLUMNS} FROM projects WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [organizationId, projectId],
  );
  return rows[0] ?? null;
}

export async function updateProject(
  database: Queryable,
  organizationId: string,
  project: ProjectRow,
): Promise<void> {
  await database.query(
    `WITH former AS (
        SELECT environment FROM projects WHERE organization_id = $1 AND id = $2
      ), watched AS (
        -- Its new environment is watched, and its former one no longer.
        UPDATE environments AS e SET is_watched = e.name = $4, is_announced = false FROM former
        WHERE e.project_id = $2 AND former.environment::text <> $4 AND e.name IN ($4, former.environment::text)
      )
      UPDATE projects SET name = $3, environment = $4::environment, scrubbing = $5, retention = $6,
          sample_above = $7, group_prefix = $8, former_prefixes = $9
        WHERE organization_id = $1 AND id = $2`,
    [
      organizationId,
      project.id,
      project.name,
      project.environment,
      JSON.stringify(project.scrubbing),
      JSON.stringify(project.retention),
      project.sampleAbove,
      project.groupPrefix,
      project.formerGroupPrefixes,
    ],
  );
}

export async function updateProjectDeleted(
  database: Queryable,
  organizationId: string,
  projectId: string,
  now: Date,
): Promise<void> {
  await database.query('UPDATE projects SET deleted_at = $3 WHERE organization_id = $1 AND id = $2', [
    organizationId,
    projectId,
    now,
  ]);
}

/** Has the events of a deleted project removed from the archive, where one is used. */
export async function insertArchiveDeletion(
  transaction: Queryable,
  organizationId: string,
  projectId: string,
): Promise<void> {
  await transaction.query(
    `INSERT INTO archive_deletions (kind, condition)
      SELECT 'project', jsonb_build_object('organizationId', $1::uuid, 'projectId', $2::uuid) FROM archive_state`,
    [organizationId, projectId],
  );
}

/** Deletes the keys at once, unlike the project's other data: they are invalid from the deletion on. */
export async function deleteKeysOfProject(database: Queryable, projectId: string): Promise<void> {
  await database.query('DELETE FROM api_keys WHERE project_id = $1', [projectId]);
}

/**
 * The counters and, from the same snapshot, the deltas that the queue still holds: they are added when its rows are
 * processed, so the sum balances at any time.
 * @param projectId null: the sum over all projects of the organization
 */
export async function findLedger(
  database: Queryable,
  organizationId: string,
  projectId: string | null,
): Promise<Static<typeof Ledger>> {
  const { rows } = await database.query<Static<typeof Ledger>>(
    `WITH chosen AS MATERIALIZED (
        SELECT id FROM projects
        WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR id = $2)
      ), waiting AS (
        SELECT coalesce(sum((delta.value -> 'accepted')::bigint), 0) AS accepted,
          coalesce(sum((delta.value -> 'duplicate')::bigint), 0) AS duplicate
        FROM queue CROSS JOIN LATERAL jsonb_each(queue.deltas) AS delta
        WHERE delta.key IN (SELECT id::text FROM chosen)
      ), counted AS (
        SELECT coalesce(sum(accepted), 0) AS accepted, coalesce(sum(stored), 0) AS stored,
          coalesce(sum(duplicate), 0) AS duplicate, coalesce(sum(dead), 0) AS dead,
          coalesce(sum(dropped), 0) AS dropped, coalesce(sum(sampled), 0) AS sampled,
          coalesce(sum(erased), 0) AS erased,
          coalesce(sum(expired), 0) AS expired
        FROM ledgers WHERE project_id IN (SELECT id FROM chosen)
      ), spooled AS (
        SELECT coalesce(sum(entry.value::bigint), 0) AS quantity
        FROM (
          SELECT DISTINCT ON (process_id) on_disk FROM intake_presence
          WHERE told_at > clock_timestamp() - make_interval(secs => $3::float8 / 1000)
          ORDER BY process_id, told_at DESC, since DESC
        ) AS latest CROSS JOIN LATERAL jsonb_each_text(on_disk) AS entry
        WHERE entry.key IN (SELECT id::text FROM chosen)
      ), unstored AS (
        SELECT coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'reason', reason, 'quantity', quantity)
          ORDER BY kind, reason), '[]') AS items
        FROM (SELECT kind, reason, sum(quantity)::bigint AS quantity FROM unstored_items
          WHERE project_id IN (SELECT id FROM chosen) GROUP BY kind, reason) AS sums
      )
      SELECT (c.accepted + w.accepted)::bigint AS accepted, c.stored::bigint AS stored,
        (w.accepted - w.duplicate)::bigint AS queued, (c.duplicate + w.duplicate)::bigint AS duplicate,
        c.dead::bigint AS dead, c.dropped::bigint AS dropped, c.sampled::bigint AS sampled, c.erased::bigint AS erased,
          c.expired::bigint AS expired, s.quantity::bigint AS "onDisk",
        u.items AS unstored
      FROM waiting w CROSS JOIN counted c CROSS JOIN spooled s CROSS JOIN unstored u`,
    [organizationId, projectId, PRESENT_MS],
  );
  const [ledger] = rows;
  assert(ledger !== undefined, 'The sums have no row.');
  return ledger;
}

/** Finds the fewest days that a project of the organization chose for a severity; null: none chose. */
export async function findShortestRetention(
  database: Queryable,
  organizationId: string,
): Promise<number | null> {
  const { rows } = await database.query<{ days: number | null }>(
    `SELECT min(chosen.days::int) AS days FROM projects AS p CROSS JOIN jsonb_each_text(p.retention) AS chosen (severity, days)
      WHERE p.organization_id = $1 AND p.deleted_at IS NULL AND p.retention <> '{}'`,
    [organizationId],
  );
  return rows[0]?.days ?? null;
}

export async function listDeletedProjects(
  database: Queryable,
): Promise<{ id: string; organizationId: string }[]> {
  const { rows } = await database.query<{ id: string; organizationId: string }>(
    'SELECT id, organization_id AS "organizationId" FROM projects WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 100',
  );
  return rows;
}

/** Tables with data of a project but its events and copies of it, in the order of removal. */
const PROJECT_DATA = [
  'sampled_events',
  'environments',
  'event_counts',
  'field_counts',
  'stale_hours',
  'releases',
  'named_releases',
  'deploys',
  'source_map_pieces',
  'source_maps',
  'source_map_bundles',
  'group_minutes',
  'group_hours',
  'group_users',
  'group_releases',
  'group_history',
  'group_texts',
  'group_fingerprints',
  'groups',
  'group_numbers',
  'check_ins',
  'schedules',
  'dead_letters',
  'erasures',
  'notices',
  'unstored_items',
  'revoked_keys',
  'scrubbed_values',
  'request_counts',
  'request_samples',
  'quotas',
  'quota_windows',
  'claims',
  'alert_groups',
  'incidents',
  'resolved_incidents',
  'deliveries',
  'notification_changes',
  'notification_threads',
  'notification_routes',
  'silence_matches',
  'silences',
  'risk_decisions',
  'risk_state',
] as const;
type ProjectData = (typeof PROJECT_DATA)[number];
export const PROJECT_DATA_TABLES: readonly ProjectData[] = PROJECT_DATA;
/** Tables whose index begins with the organization. */
const INDEXED_BY_ORGANIZATION: readonly ProjectData[] = [
  'event_counts',
  'field_counts',
  'stale_hours',
  'risk_decisions',
];

/**
 * Removes at most `limit` rows of a deleted project from one table.
 * @returns the number of rows that were there: fewer than `limit` are the last ones, even if another worker has
 * removed some of them meanwhile
 */
export async function deleteProjectData(
  database: Queryable,
  project: { id: string; organizationId: string },
  table: ProjectData,
  limit: number,
): Promise<number> {
  const byOrganization = INDEXED_BY_ORGANIZATION.includes(table);
  const { rows } = await database.query<{ found: number }>(
    `WITH found AS MATERIALIZED (
        SELECT ctid AS place FROM ${table}
        WHERE project_id = $1 ${byOrganization ? 'AND organization_id = $3' : ''} LIMIT $2
      ), removed AS (
        DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT place FROM found))
      )
      SELECT count(*) AS found FROM found`,
    byOrganization ? [project.id, limit, project.organizationId] : [project.id, limit],
  );
  return rows[0]?.found ?? 0;
}

export async function deleteProject(database: Queryable, projectId: string): Promise<void> {
  await database.query('DELETE FROM projects WHERE id = $1 AND deleted_at IS NOT NULL', [projectId]);
}

import type { Queryable } from '../../database/database.ts';
import { SEVERITIES } from '../severities.ts';

/** Groups' hours are copied for longer than their minutes are kept. */
export const GROUPS_COPIED = "interval '50 hours'";
/** Most frequent fingerprints of an hour that are listed; of all others the largest count is. */
const LISTED_FINGERPRINTS = 100;

/** Projects, each with its organization. */
export interface HourPlaces {
  organizationIds: readonly string[];
  projectIds: readonly string[];
}

const QUARTERS = [1, 2, 3, 4];
const QUARTER_COLUMNS = QUARTERS.map((quarter) => `quarter_${quarter}`).join(', ');
const QUARTER_SUMS = QUARTERS.map((quarter) => `sum(quarter_${quarter})`).join(', ');
const QUARTER_COUNTS = QUARTERS.map(
  (quarter) =>
    `coalesce(sum(count) FILTER (WHERE extract(minute FROM minute AT TIME ZONE 'UTC') >= ${(quarter - 1) * 15}
        AND extract(minute FROM minute AT TIME ZONE 'UTC') < ${quarter * 15}), 0)`,
).join(', ');
const COLUMNS = `(scope, organization_id, project_id, hour, severity, type, source, environment, ${QUARTER_COLUMNS})`;
const scopeOf = (scope: 'project' | 'organization') =>
  `CASE WHEN grouping(type) = 0 THEN '${scope}_series' ELSE '${scope}' END::hour_scope`;
const SEVERITY_COLUMNS = SEVERITIES.join(', ');
const SEVERITY_SUMS = SEVERITIES.map((severity) => `sum(${severity}) AS ${severity}`).join(', ');
const MINUTES = "minute >= $1 AND minute < $1::timestamptz + interval '1 hour'";
/** Counts of the groups of a table `project`: by the minute and, where a clock that is ahead has had them moved early, by the hour. */
const GROUP_COUNTS = `LATERAL (
      SELECT group_id, project_id, ${SEVERITY_COLUMNS} FROM group_minutes WHERE project_id = project.id AND ${MINUTES}
      UNION ALL
      SELECT group_id, project_id, ${SEVERITY_COLUMNS} FROM group_hours WHERE project_id = project.id AND hour = $1
      OFFSET 0
    ) AS counted`;

/** The projects that have events in an hour. */
export async function listPlaces(database: Queryable, hour: Date): Promise<HourPlaces> {
  const { rows } = await database.query<{ organizationId: string; projectId: string }>(
    `SELECT DISTINCT organization_id AS "organizationId", project_id AS "projectId" FROM event_counts WHERE ${MINUTES}`,
    [hour],
  );
  return {
    organizationIds: rows.map(({ organizationId }) => organizationId),
    projectIds: rows.map(({ projectId }) => projectId),
  };
}

/** Removes the copies of projects, and the sums and lists of their organizations. */
export async function deleteHour(transaction: Queryable, hour: Date, places: HourPlaces): Promise<void> {
  await transaction.query(
    `WITH groups AS (
        DELETE FROM group_recent_hours WHERE project_id = ANY ($3::uuid[]) AND hour = $1
      ), of_fingerprints AS (
        DELETE FROM fingerprint_hours WHERE organization_id = ANY ($2::uuid[]) AND hour = $1
      ), sums AS (
        DELETE FROM event_hours
        WHERE scope IN ('organization', 'organization_series') AND organization_id = ANY ($2::uuid[]) AND hour = $1
      )
      DELETE FROM event_hours AS h USING unnest($2::uuid[], $3::uuid[]) AS place (organization, project)
      WHERE scope IN ('project', 'project_series') AND h.organization_id = organization AND h.project_id = project
        AND h.hour = $1`,
    [hour, places.organizationIds, places.projectIds],
  );
}

/** Copies the counts of projects, in both scopes. */
export async function insertProjectHours(
  transaction: Queryable,
  hour: Date,
  { organizationIds, projectIds }: HourPlaces,
): Promise<void> {
  await transaction.query(
    `INSERT INTO event_hours ${COLUMNS}
      SELECT ${scopeOf('project')}, organization_id, project_id, $1, severity, type, source, environment, ${QUARTER_COUNTS}
      FROM unnest($2::uuid[], $3::uuid[]) AS place (organization, project) CROSS JOIN LATERAL (
        SELECT * FROM event_counts WHERE organization_id = organization AND project_id = project AND ${MINUTES} OFFSET 0
      ) AS counted
      GROUP BY GROUPING SETS ((organization_id, project_id, severity, type, source, environment),
        (organization_id, project_id, severity, environment))`,
    [hour, organizationIds, projectIds],
  );
}

/** Sums the copies of all projects of organizations, in both scopes. */
export async function insertOrganizationHours(
  transaction: Queryable,
  hour: Date,
  organizationIds: readonly string[],
): Promise<void> {
  await transaction.query(
    `INSERT INTO event_hours ${COLUMNS}
      SELECT ${scopeOf('organization')}, organization_id, NULL, $1, severity, type, source, NULL, ${QUARTER_SUMS} FROM event_hours
      WHERE scope = 'project_series' AND organization_id = ANY ($2::uuid[]) AND severity = ANY (enum_range(NULL::severity))
        AND hour = $1
      GROUP BY GROUPING SETS ((organization_id, severity, type, source), (organization_id, severity))`,
    [hour, organizationIds],
  );
}

/** Copies the counts of groups, of a recent hour. */
export async function insertGroupHours(
  transaction: Queryable,
  hour: Date,
  projectIds: readonly string[],
): Promise<void> {
  await transaction.query(
    `INSERT INTO group_recent_hours (group_id, project_id, hour, ${SEVERITY_COLUMNS})
      SELECT group_id, project_id, $1, ${SEVERITY_SUMS} FROM unnest($2::uuid[]) AS project (id) CROSS JOIN ${GROUP_COUNTS}
      WHERE $1 > now() - ${GROUPS_COPIED} GROUP BY 1, 2`,
    [hour, projectIds],
  );
}

/** Lists the most frequent fingerprints of organizations: of all severities (null), and of each. */
export async function insertLargestFingerprints(
  transaction: Queryable,
  hour: Date,
  organizationIds: readonly string[],
): Promise<void> {
  const bySeverity = SEVERITIES.map((severity) => `('${severity}', ${severity})`).join(', ');
  await transaction.query(
    `INSERT INTO fingerprint_hours (organization_id, hour, severity, fingerprints, counts, others_at_most)
      WITH of_groups AS MATERIALIZED (
        SELECT organization_id, group_id, ${SEVERITY_SUMS} FROM projects AS project CROSS JOIN ${GROUP_COUNTS}
        WHERE organization_id = ANY ($2::uuid[]) AND deleted_at IS NULL GROUP BY 1, 2
      ), of_fingerprints AS MATERIALIZED (
        SELECT of_groups.organization_id, fingerprint, ${SEVERITY_SUMS}
        FROM of_groups JOIN groups ON groups.id = group_id GROUP BY 1, 2
      ), ranked AS (
        SELECT organization_id, fingerprint, of.severity, of.count,
          row_number() OVER (PARTITION BY organization_id, of.severity ORDER BY of.count DESC) AS place
        FROM of_fingerprints CROSS JOIN LATERAL (
          VALUES (NULL::severity, ${SEVERITIES.join(' + ')}), ${bySeverity}
        ) AS of (severity, count) WHERE of.count > 0
      )
      SELECT organization_id, $1, severity, array_agg(fingerprint ORDER BY place) FILTER (WHERE place <= ${LISTED_FINGERPRINTS}),
        array_agg(count ORDER BY place) FILTER (WHERE place <= ${LISTED_FINGERPRINTS}),
        coalesce(max(count) FILTER (WHERE place > ${LISTED_FINGERPRINTS}), 0)
      FROM ranked WHERE place <= ${LISTED_FINGERPRINTS + 1} GROUP BY organization_id, severity`,
    [hour, organizationIds],
  );
}

/**
 * Removes the oldest counts before a time, whole minutes or hours, until at least `limit` rows are removed.
 * @returns how many rows, at most `limit`
 */
export async function deleteCountsBefore(
  database: Queryable,
  table: 'event_counts' | 'field_counts' | 'event_hours' | 'fingerprint_hours',
  before: Date,
  limit: number,
): Promise<number> {
  const at = table === 'event_counts' || table === 'field_counts' ? 'minute' : 'hour';
  const { rowCount } = await database.query(
    `DELETE FROM ${table} WHERE ${at} <= (
        SELECT max(${at}) FROM (SELECT ${at} FROM ${table} WHERE ${at} < $1 ORDER BY ${at} LIMIT $2) AS oldest)`,
    [before, limit],
  );
  return Math.min(rowCount ?? 0, limit);
}

/** Removes at most `limit` copies of groups' hours that are too old to be read. @returns how many */
export async function deleteGroupHourCopies(database: Queryable, limit: number): Promise<number> {
  const { rows } = await database.query<{ copies: number }>(
    `WITH since AS MATERIALIZED (
        SELECT date_trunc('hour', now() - ${GROUPS_COPIED}, 'UTC') AS hour
      ), moved AS (
        UPDATE rolled_hours SET groups_since = since.hour FROM since WHERE groups_since < since.hour
      ), deleted AS (
        DELETE FROM group_recent_hours WHERE ctid = ANY (ARRAY(
          SELECT oldest.ctid FROM projects CROSS JOIN LATERAL (
            SELECT ctid FROM group_recent_hours
            WHERE project_id = projects.id AND hour < (SELECT hour FROM since) ORDER BY hour LIMIT $1
          ) AS oldest LIMIT $1)) RETURNING 1
      )
      SELECT count(*) AS copies FROM deleted`,
    [limit],
  );
  return rows[0]?.copies ?? 0;
}

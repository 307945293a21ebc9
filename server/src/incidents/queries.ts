import type { Queryable } from '../database/database.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import { LIVE_PROJECTS } from '../tenancy/projects/queries.ts';
import { toSeries } from './evidence-schema.ts';
import type { IncidentSort } from './request-schema.ts';
import type { IncidentRow } from './rows.ts';
import type { IncidentCounts, IncidentSummary, Status } from './schema.ts';

export const INCIDENT_COLUMNS = `id, organization_id AS "organizationId", project_id AS "projectId", title,
  title_origin AS "titleOrigin", severity, status, origin, schedule_id AS "scheduleId", links,
  event_count AS "eventCount", evidence, type, source, previous_incident_id AS "previousIncidentId",
  investigator_id AS "investigatorId", risk_number AS "riskNumber",
  created_at AS "createdAt", updated_at AS "updatedAt", resolved_at AS "resolvedAt"`;

/** @param lock locks the row until the transaction ends */
export async function findIncident(
  database: Queryable,
  organizationId: string,
  incidentId: string,
  lock?: 'lock',
): Promise<IncidentRow | null> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents WHERE organization_id = $1 AND id = $2 AND ${LIVE_PROJECTS}
      ${lock ? 'FOR UPDATE' : ''}`,
    [organizationId, incidentId],
  );
  return rows[0] ?? null;
}

/** True if a newer incident is about the headline's series of this one or about a series attached to it. */
export async function hasNewerOfCause(
  database: Queryable,
  { organizationId, projectId, id, evidence }: IncidentRow,
): Promise<boolean> {
  const series = evidence ? [evidence.series, ...evidence.alsoSeries.map(toSeries)] : [];
  const { rows } = await database.query(
    `SELECT 1 FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND id > $3
        AND (previous_incident_id = $3 OR evidence -> 'series' = ANY ($4::jsonb[])) LIMIT 1`,
    [organizationId, projectId, id, series.map((each) => JSON.stringify(each))],
  );
  return rows.length > 0;
}

export const NO_INCIDENTS: IncidentCounts = { open: 0, investigating: 0, resolved: 0 };

/** For each order, the condition to continue after the row of the cursor ($4), and the sort. */
const ORDERS: Record<IncidentSort, { after: string; by: string }> = {
  newest: { after: 'id < $4', by: 'id DESC' },
  severity: {
    after: '(severity, id) < (SELECT severity, id FROM incidents WHERE organization_id = $1 AND id = $4)',
    by: 'severity DESC, id DESC',
  },
};

/** Matches a text ($6) literally: `%` and `_` are letters. */
const HAS_TEXT = `(strpos(lower(title), lower($6)) > 0 OR strpos(lower(evidence ->> 'sentence'), lower($6)) > 0
  OR project_id IN (SELECT id FROM projects WHERE organization_id = $1 AND strpos(lower(name), lower($6)) > 0))`;

/**
 * As a join: for an array of ids the planner expects few rows, and reads everything that an index has of all these
 * projects, resolved incidents included.
 */
const OF_LIVE_PROJECTS = `project_id IN (SELECT id FROM projects WHERE organization_id = $1 AND deleted_at IS NULL)`;

/** One more than `limit`, so that the caller knows if there is a next page. */
export async function listIncidents(
  database: Queryable,
  organizationId: string,
  filter: { projectId: string | null; status: Status | null; text: string | null },
  page: { sort: IncidentSort; cursor: string | null; limit: number },
): Promise<IncidentRow[]> {
  const { after, by } = ORDERS[page.sort];
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND ${OF_LIVE_PROJECTS} AND ($2::uuid IS NULL OR project_id = $2)
        AND ($3::incident_status IS NULL OR status = $3) AND ($4::uuid IS NULL OR ${after})
        AND ($6::text IS NULL OR ${HAS_TEXT})
      ORDER BY ${by} LIMIT $5 + 1`,
    [organizationId, filter.projectId, filter.status, page.cursor, page.limit, filter.text],
  );
  return rows;
}

/** @param projectId null: all projects */
export async function countIncidents(
  database: Queryable,
  organizationId: string,
  projectId: string | null,
): Promise<IncidentCounts> {
  const { rows } = await database.query<IncidentCounts>(
    // The resolved ones are counted by triggers: they are all that ever were.
    `SELECT count(*) FILTER (WHERE status = 'open') AS open,
        count(*) FILTER (WHERE status = 'investigating') AS investigating,
        (SELECT coalesce(sum(count), 0)::bigint FROM resolved_incidents
          WHERE organization_id = $1 AND ${LIVE_PROJECTS} AND ($2::uuid IS NULL OR project_id = $2)) AS resolved
      FROM incidents
      WHERE organization_id = $1 AND status <> 'resolved' AND ${OF_LIVE_PROJECTS} AND ($2::uuid IS NULL OR project_id = $2)`,
    [organizationId, projectId],
  );
  return rows[0] ?? NO_INCIDENTS;
}

/** Numbers of incidents opened and resolved since a time; exact. @param projectId null: all projects */
export async function countIncidentsSince(
  database: Queryable,
  organizationId: string,
  projectId: string | null,
  since: Date,
): Promise<Omit<IncidentSummary, 'since'>> {
  const { rows } = await database.query<Omit<IncidentSummary, 'since'>>(
    `SELECT count(*) FILTER (WHERE created_at >= $3) AS opened,
        count(*) FILTER (WHERE resolved_at >= $3) AS resolved,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM resolved_at - created_at)::float8)
          FILTER (WHERE resolved_at >= $3) AS "medianSecondsToResolve"
      FROM incidents WHERE organization_id = $1 AND ${LIVE_PROJECTS} AND ($2::uuid IS NULL OR project_id = $2)
        AND (created_at >= $3 OR resolved_at >= $3)`,
    [organizationId, projectId, since],
  );
  return rows[0] ?? { opened: 0, resolved: 0, medianSecondsToResolve: null };
}

/** Counts incidents created by hand. */
export async function countManualIncidentsSince(
  database: Queryable,
  organizationId: string,
  sinceMs: number,
): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM incidents WHERE organization_id = $1 AND id >= $2 AND origin = 'manual'`,
    [organizationId, uuidLowerBound(sinceMs)],
  );
  return rows[0]?.count ?? 0;
}

import type { Queryable } from '../database/database.ts';
import { ADVISORY_LOCKS } from '../platform/advisory-locks.ts';
import { CHANNELS } from '../platform/channels.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import { LIVE_PROJECTS } from '../tenancy/projects/queries.ts';
import type {
  Incident,
  IncidentCounts,
  IncidentRow,
  IncidentSort,
  RiskRule,
  RiskSeries,
  Status,
  TimelineRow,
} from './schema.ts';

const COLUMNS = `id, organization_id AS "organizationId", project_id AS "projectId", title,
  coalesce(title_origin, CASE origin WHEN 'risk' THEN 'generated' ELSE 'person' END) AS "titleOrigin", severity, status, origin,
  event_count AS "eventCount", evidence, type, source, previous_incident_id AS "previousIncidentId",
  risk_number AS "riskNumber",
  created_at AS "createdAt", updated_at AS "updatedAt", resolved_at AS "resolvedAt"`;

export async function insertIncident(database: Queryable, incident: IncidentRow): Promise<void> {
  await database.query(
    `INSERT INTO incidents (id, organization_id, project_id, title, severity, status, origin, event_count, evidence,
        type, source, previous_incident_id, created_at, updated_at, resolved_at, risk_number,
        title_origin)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      incident.id,
      incident.organizationId,
      incident.projectId,
      incident.title,
      incident.severity,
      incident.status,
      incident.origin,
      incident.eventCount,
      incident.evidence && JSON.stringify(incident.evidence),
      incident.type,
      incident.source,
      incident.previousIncidentId,
      incident.createdAt,
      incident.updatedAt,
      incident.resolvedAt,
      incident.riskNumber,
      incident.titleOrigin,
    ],
  );
}

export const NO_INCIDENTS: IncidentCounts = { open: 0, investigating: 0, resolved: 0 };

/** How each order continues after the row of the cursor ($4), and how it sorts. */
const ORDERS: Record<IncidentSort, { after: string; by: string }> = {
  newest: { after: 'id < $4', by: 'id DESC' },
  severity: {
    after: '(severity, id) < (SELECT severity, id FROM incidents WHERE organization_id = $1 AND id = $4)',
    by: 'severity DESC, id DESC',
  },
};

/** One more than `limit`, so that the caller sees whether there is a next page. */
export async function listIncidents(
  database: Queryable,
  organizationId: string,
  filter: { projectId: string | null; status: Status | null },
  page: { sort: IncidentSort; cursor: string | null; limit: number },
): Promise<IncidentRow[]> {
  const { after, by } = ORDERS[page.sort];
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${COLUMNS} FROM incidents
      WHERE organization_id = $1 AND ${LIVE_PROJECTS} AND ($2::uuid IS NULL OR project_id = $2)
        AND ($3::incident_status IS NULL OR status = $3) AND ($4::uuid IS NULL OR ${after})
      ORDER BY ${by} LIMIT $5 + 1`,
    [organizationId, filter.projectId, filter.status, page.cursor, page.limit],
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
    `SELECT count(*) FILTER (WHERE status = 'open') AS open,
        count(*) FILTER (WHERE status = 'investigating') AS investigating,
        count(*) FILTER (WHERE status = 'resolved') AS resolved
      FROM incidents WHERE organization_id = $1 AND ${LIVE_PROJECTS} AND ($2::uuid IS NULL OR project_id = $2)`,
    [organizationId, projectId],
  );
  return rows[0] ?? NO_INCIDENTS;
}

/** Those made by hand. */
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

/** @param lock within a transaction: nobody else changes the incident until it ends */
export async function findIncident(
  database: Queryable,
  organizationId: string,
  incidentId: string,
  lock?: 'lock',
): Promise<IncidentRow | null> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${COLUMNS} FROM incidents WHERE organization_id = $1 AND id = $2 AND ${LIVE_PROJECTS}
      ${lock ? 'FOR UPDATE' : ''}`,
    [organizationId, incidentId],
  );
  return rows[0] ?? null;
}

/** Risk incidents by the detector's numbers, locked until the transaction ends. */
export async function listIncidentsByNumber(
  database: Queryable,
  organizationId: string,
  projectId: string,
  riskNumbers: number[],
): Promise<IncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND risk_number = ANY ($3) ORDER BY id FOR UPDATE`,
    [organizationId, projectId, riskNumbers],
  );
  return rows;
}

/** What the detector has opened and nobody has touched, locked until the transaction ends. */
export async function listOpenRiskIncidents(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<IncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND risk_number IS NOT NULL AND status = 'open'
      ORDER BY id FOR UPDATE`,
    [organizationId, projectId],
  );
  return rows;
}

const SAME_SERIES = `type IS NOT DISTINCT FROM $3 AND source IS NOT DISTINCT FROM $4
  AND evidence -> 'series' ->> 'kind' = $5`;

/** The newest incident of a series that is resolved. */
export async function findLastResolvedOf(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { type, source, kind }: RiskSeries,
): Promise<IncidentRow | null> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND status = 'resolved' AND ${SAME_SERIES}
      ORDER BY id DESC LIMIT 1`,
    [organizationId, projectId, type, source, kind],
  );
  return rows[0] ?? null;
}

/**
 * The newest incident of exactly a series and one of some rules that somebody investigates and whose number is none
 * of those that are not over; locked until the transaction ends.
 */
export async function findInvestigatedOf(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { series, rules, notNumbers }: { series: RiskSeries; rules: RiskRule[]; notNumbers: number[] },
): Promise<IncidentRow | null> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND status = 'investigating'
        AND risk_number IS NOT NULL AND risk_number <> ALL ($5)
        AND evidence -> 'series' = $3::jsonb AND evidence ->> 'rule' = ANY ($4)
      ORDER BY id DESC LIMIT 1 FOR UPDATE`,
    [organizationId, projectId, JSON.stringify(series), rules, notNumbers],
  );
  return rows[0] ?? null;
}

export async function updateIncident(database: Queryable, incident: IncidentRow): Promise<void> {
  await database.query(
    `UPDATE incidents SET title = $3, severity = $4, status = $5, event_count = $6, updated_at = $7, resolved_at = $8,
        evidence = $9, risk_number = $10, type = $11, source = $12, title_origin = $13
      WHERE organization_id = $1 AND id = $2`,
    [
      incident.organizationId,
      incident.id,
      incident.title,
      incident.severity,
      incident.status,
      incident.eventCount,
      incident.updatedAt,
      incident.resolvedAt,
      incident.evidence && JSON.stringify(incident.evidence),
      incident.riskNumber,
      incident.type,
      incident.source,
      incident.titleOrigin,
    ],
  );
}

export async function insertTimelineEntry(
  database: Queryable,
  incidentId: string,
  entry: Omit<TimelineRow, 'userName'>,
): Promise<void> {
  await database.query(
    `INSERT INTO incident_timeline (id, incident_id, user_id, before, after, note, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      entry.id,
      incidentId,
      entry.userId,
      entry.before && JSON.stringify(entry.before),
      entry.after && JSON.stringify(entry.after),
      entry.note,
      entry.createdAt,
    ],
  );
}

/**
 * Entries before the cursor, newest first; one more than `limit`, so that the caller sees whether there is a next
 * page. By the incident, which was checked before.
 */
export async function listTimeline(
  database: Queryable,
  incidentId: string,
  page: { cursor: string | null; limit: number },
): Promise<TimelineRow[]> {
  const { rows } = await database.query<TimelineRow>(
    `SELECT t.id, t.created_at AS "createdAt", t.user_id AS "userId", u.name AS "userName", t.before, t.after, t.note
      FROM incident_timeline t LEFT JOIN users u ON u.id = t.user_id
      WHERE t.incident_id = $1 AND ($2::uuid IS NULL OR t.id < $2) ORDER BY t.id DESC LIMIT $3 + 1`,
    [incidentId, page.cursor, page.limit],
  );
  return rows;
}

/** Entries that people made, whoever they are. */
export async function countTimelineByPeople(database: Queryable, incidentId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(user_id) AS count FROM incident_timeline WHERE incident_id = $1',
    [incidentId],
  );
  return rows[0]?.count ?? 0;
}

export type FrameEvent = 'incident_created' | 'incident_updated';

/**
 * Comes first in every transaction that changes incidents. Held until the commit, it makes the order of
 * frame ids the order of commits: a reader that goes on after the last id it saw misses none. And since it
 * comes before the locks on incidents, no two writers wait for each other.
 */
export async function lockFrames(database: Queryable): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.frames]);
}

/** Adds a frame for the organization's dashboards and hints at it; the caller holds `lockFrames`. */
export async function insertFrame(
  database: Queryable,
  organizationId: string,
  frame: { projectId: string; event: FrameEvent; data: Incident; createdAt: Date },
): Promise<void> {
  await database.query(
    `INSERT INTO incident_frames (organization_id, project_id, event, data, created_at)
      VALUES ($1, $2, $3, $4, $5)`,
    [organizationId, frame.projectId, frame.event, JSON.stringify(frame.data), frame.createdAt],
  );
  await database.query(`SELECT pg_notify($1, '')`, [CHANNELS.incidents]);
}

export interface FrameRow {
  id: number;
  organizationId: string;
  event: FrameEvent;
  data: Incident;
  /** Whether the project still exists: what a deleted one leaves behind is not shown. */
  live: boolean;
}

export async function listFramesAfter(
  database: Queryable,
  lastId: number,
  limit: number,
): Promise<FrameRow[]> {
  const { rows } = await database.query<FrameRow>({
    name: 'list-frames-after',
    text: `SELECT f.id, f.organization_id AS "organizationId", f.event, f.data, p.id IS NOT NULL AS live
      FROM incident_frames f LEFT JOIN projects p ON p.id = f.project_id AND p.deleted_at IS NULL
      WHERE f.id > $1 ORDER BY f.id LIMIT $2`,
    values: [lastId, limit],
  });
  return rows;
}

export async function findLastFrameId(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ id: number | null }>('SELECT max(id) AS id FROM incident_frames');
  return rows[0]?.id ?? 0;
}

export async function deleteFramesBefore(database: Queryable, before: Date): Promise<void> {
  await database.query('DELETE FROM incident_frames WHERE created_at < $1', [before]);
}

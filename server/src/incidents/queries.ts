import { EVENT_COLUMNS } from '../events/queries.ts';
import type { EventRow } from '../events/schema.ts';
import type { Queryable } from '../platform/database.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import { LIVE_PROJECTS } from '../projects/queries.ts';
import type { Incident, IncidentCounts, IncidentRow, Status, TimelineRow } from './schema.ts';

const COLUMNS = `id, organization_id AS "organizationId", project_id AS "projectId", title, severity, status, origin,
  event_count AS "eventCount", evidence, type, source, previous_incident_id AS "previousIncidentId",
  created_at AS "createdAt", updated_at AS "updatedAt", resolved_at AS "resolvedAt"`;

export async function insertIncident(database: Queryable, incident: IncidentRow): Promise<void> {
  await database.query(
    `INSERT INTO incidents (id, organization_id, project_id, title, severity, status, origin, event_count, evidence,
        type, source, previous_incident_id, created_at, updated_at, resolved_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
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
    ],
  );
}

export const NO_INCIDENTS: IncidentCounts = { open: 0, investigating: 0, resolved: 0 };

/** Newest first; one more than `limit`, so that the caller sees whether there is a next page. */
export async function listIncidents(
  database: Queryable,
  organizationId: string,
  filter: { projectId: string | null; status: Status | null },
  page: { cursor: string | null; limit: number },
): Promise<IncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${COLUMNS} FROM incidents
      WHERE organization_id = $1 AND ${LIVE_PROJECTS} AND ($2::uuid IS NULL OR project_id = $2)
        AND ($3::incident_status IS NULL OR status = $3) AND ($4::uuid IS NULL OR id < $4)
      ORDER BY id DESC LIMIT $5 + 1`,
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

/** The newest risk incident of each series of a project, locked until the transaction ends. */
export async function findLatestRiskIncidents(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<IncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${COLUMNS} FROM incidents WHERE id IN (
        SELECT DISTINCT ON (type, source) id FROM incidents
        WHERE organization_id = $1 AND project_id = $2 AND origin = 'risk' ORDER BY type, source, id DESC)
      ORDER BY id FOR UPDATE`,
    [organizationId, projectId],
  );
  return rows;
}

export async function updateIncident(database: Queryable, incident: IncidentRow): Promise<void> {
  await database.query(
    `UPDATE incidents SET title = $3, severity = $4, status = $5, event_count = $6, updated_at = $7, resolved_at = $8
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

export async function listTimeline(database: Queryable, incidentId: string): Promise<TimelineRow[]> {
  const { rows } = await database.query<TimelineRow>(
    `SELECT t.id, t.created_at AS "createdAt", t.user_id AS "userId", u.name AS "userName", t.before, t.after, t.note
      FROM incident_timeline t LEFT JOIN users u ON u.id = t.user_id WHERE t.incident_id = $1 ORDER BY t.id`,
    [incidentId],
  );
  return rows;
}

const FRAME_LOCK = 7_052_028;

export type FrameEvent = 'incident_created' | 'incident_updated';

/**
 * Comes first in every transaction that changes incidents. Held until the commit, it makes the order of
 * frame ids the order of commits: a reader that goes on after the last id it saw misses none. And since it
 * comes before the locks on incidents, no two writers wait for each other.
 */
export async function lockFrames(database: Queryable): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock($1)', [FRAME_LOCK]);
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
  await database.query(`SELECT pg_notify('tocsin_incidents', '')`);
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

/** An event may have been captured this long before it was received. */
const MAX_DELAY_MS = 7 * 24 * 60 * 60_000;

/** The events of a risk incident's series, received from the beginning of its window until it was resolved. */
export async function listIncidentEvents(
  database: Queryable,
  organizationId: string,
  incident: IncidentRow,
  page: { cursor: string | null; limit: number },
): Promise<EventRow[]> {
  if (!incident.evidence) return [];
  const { from } = incident.evidence;
  const { rows } = await database.query<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events
      WHERE organization_id = $1 AND project_id = $2 AND type = $3 AND source IS NOT DISTINCT FROM $4
        AND (severity >= 'error' OR (type = 'payment' AND message LIKE '%.payment\\_failed'))
        AND received_at >= $5 AND received_at <= coalesce($6, 'infinity'::timestamptz)
        AND id >= $7 AND ($8::uuid IS NULL OR id < $8)
      ORDER BY id DESC LIMIT $9 + 1`,
    [
      organizationId,
      incident.projectId,
      incident.type,
      incident.source,
      new Date(from),
      incident.resolvedAt,
      uuidLowerBound(Date.parse(from) - MAX_DELAY_MS),
      page.cursor,
      page.limit,
    ],
  );
  return rows;
}

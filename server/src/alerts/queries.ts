import type { Queryable } from '../database/database.ts';
import { deleteChunk } from '../database/retention-queries.ts';
import { INCIDENT_COLUMNS } from '../incidents/queries.ts';
import type { IncidentRow } from '../incidents/rows.ts';
import { CLOCK_TOLERANCE_MS, latestHold } from '../platform/stored-times.ts';
import { type AlertStates, MAX_REVIEW_MS, RELATED_MS } from './alert-states.ts';
import type { AlertOrigin } from './notice.ts';

/** Alert group as the database stores it. */
export interface AlertGroupRow {
  projectId: string;
  keyHash: Buffer;
  origin: AlertOrigin;
  incidentId: string | null;
  alerts: AlertStates;
  sources: string[];
  firedAt: Date | null;
  isOpen: boolean;
  isTruncated: boolean;
  receivedAt: Date;
  repeatMs: number | null;
  reviewAt: Date | null;
}

const COLUMNS = `g.project_id AS "projectId", g.key_hash AS "keyHash", g.origin, g.incident_id AS "incidentId", g.alerts, g.sources,
  g.fired_at AS "firedAt", g.is_open AS "isOpen", g.is_truncated AS "isTruncated", g.received_at AS "receivedAt",
  g.repeat_ms AS "repeatMs", g.review_at AS "reviewAt"`;

/** By the project of an accepted notification; the caller holds `lockFrames`, which every writer holds. */
export async function findAlertGroup(
  database: Queryable,
  projectId: string,
  keyHash: Buffer,
): Promise<AlertGroupRow | null> {
  const { rows } = await database.query<AlertGroupRow>(
    `SELECT ${COLUMNS} FROM alert_groups g WHERE g.project_id = $1 AND g.key_hash = $2`,
    [projectId, keyHash],
  );
  return rows[0] ?? null;
}

export async function upsertAlertGroup(database: Queryable, row: AlertGroupRow): Promise<void> {
  await database.query(
    `INSERT INTO alert_groups (project_id, key_hash, origin, incident_id, alerts, sources, fired_at, is_open, is_truncated,
        received_at, repeat_ms, review_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      ON CONFLICT (project_id, key_hash) DO UPDATE SET incident_id = excluded.incident_id, alerts = excluded.alerts,
        sources = excluded.sources, fired_at = excluded.fired_at, is_open = excluded.is_open,
        is_truncated = excluded.is_truncated, received_at = excluded.received_at, repeat_ms = excluded.repeat_ms,
        review_at = excluded.review_at`,
    [
      row.projectId,
      row.keyHash,
      row.origin,
      row.incidentId,
      JSON.stringify(row.alerts),
      row.sources,
      row.firedAt,
      row.isOpen,
      row.isTruncated,
      row.receivedAt,
      row.repeatMs,
      row.reviewAt,
    ],
  );
}

/** True if an alert of the incident fires. By the incident, which was checked before. */
export async function hasOpenAlerts(database: Queryable, incidentId: string): Promise<boolean> {
  const { rowCount } = await database.query(
    'SELECT FROM alert_groups WHERE incident_id = $1 AND is_open LIMIT 1',
    [incidentId],
  );
  return rowCount !== 0;
}

/** SQL: an alert of one of the sources $3 has begun to fire since $4, and led to the incident. */
const HAS_ALERTS = `id IN (SELECT incident_id FROM alert_groups
          WHERE project_id = $2 AND incident_id IS NOT NULL AND sources && $3::text[]
            AND fired_at BETWEEN $4 AND $4 + interval '${RELATED_MS + CLOCK_TOLERANCE_MS} milliseconds')`;

/** SQL: the detector's evidence about one of the sources $3 goes on, or ended since $4. */
const HAS_EVIDENCE = `(risk_number IS NOT NULL AND coalesce((evidence ->> 'endedAt')::timestamptz >= $4, true) AND (source = ANY ($3)
          OR evidence #>> '{lead,main,source}' = ANY ($3)
          OR EXISTS (SELECT FROM jsonb_array_elements(evidence -> 'alsoSeries') AS also WHERE also ->> 'source' = ANY ($3))))`;

interface RecentEvidence {
  projectId: string;
  sources: readonly string[];
  since: Date;
}

/**
 * The newest unresolved incident about one of some sources, by alerts of the last minutes or by evidence; locked until the
 * transaction ends.
 */
export async function findRelatedIncident(
  database: Queryable,
  organizationId: string,
  { projectId, sources, since }: RecentEvidence,
): Promise<IncidentRow | null> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND status <> 'resolved' AND (${HAS_ALERTS} OR ${HAS_EVIDENCE})
      ORDER BY id DESC LIMIT 1 FOR UPDATE`,
    [organizationId, projectId, sources, since],
  );
  return rows[0] ?? null;
}

/**
 * As above, by alerts alone.
 * @param exceptNumbers numbers of incidents that the detector has open
 */
export async function findIncidentOfAlerts(
  database: Queryable,
  organizationId: string,
  { projectId, sources, since }: RecentEvidence,
  exceptNumbers: readonly number[],
): Promise<IncidentRow | null> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND status <> 'resolved'
        AND (risk_number IS NULL OR risk_number <> ALL ($5::int[])) AND ${HAS_ALERTS}
      ORDER BY id DESC LIMIT 1 FOR UPDATE`,
    [organizationId, projectId, sources, since, exceptNumbers],
  );
  return rows[0] ?? null;
}

/** SQL: the review of a group is due at $1, or was put off beyond $2, by a clock that was wrong. */
const IS_DUE = '(g.review_at <= $1 OR g.review_at > $2)';

function latestReview(now: Date): Date {
  return new Date(latestHold(now.getTime(), MAX_REVIEW_MS));
}

export interface DueAlertGroup extends AlertGroupRow {
  organizationId: string;
}

/** The groups that are due for review, of live projects, which are not deleted meanwhile. */
export async function lockGroupsToReview(
  transaction: Queryable,
  now: Date,
  limit: number,
): Promise<DueAlertGroup[]> {
  const { rows } = await transaction.query<DueAlertGroup>(
    `SELECT ${COLUMNS}, p.organization_id AS "organizationId"
      FROM alert_groups g JOIN projects p ON p.id = g.project_id AND p.deleted_at IS NULL
      WHERE ${IS_DUE} ORDER BY g.review_at LIMIT $3
      FOR UPDATE OF g SKIP LOCKED FOR KEY SHARE OF p SKIP LOCKED`,
    [now, latestReview(now), limit],
  );
  return rows;
}

/** True if a group of a live project is due for review. */
export async function hasGroupsToReview(database: Queryable, now: Date): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'has-groups-to-review',
    text: `SELECT FROM alert_groups g JOIN projects p ON p.id = g.project_id AND p.deleted_at IS NULL
      WHERE ${IS_DUE} LIMIT 1`,
    values: [now, latestReview(now)],
  });
  return rowCount !== 0;
}

export function deleteAlertGroupsBefore(database: Queryable, before: Date, limit: number): Promise<number> {
  return deleteChunk(database, ['alert_groups', 'received_at < $1'], before, limit);
}

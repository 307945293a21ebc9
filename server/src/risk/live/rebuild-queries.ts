import { type ReopenedIncident, type SteadyLateSource, UP } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { toSeries } from '../../incidents/evidence-schema.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { sideOf } from '../headline/opened-alarm.ts';
import { listLateSources } from '../incidents/late-source-queries.ts';

/** Project whose detector another version saved. Times are those of the detectors. */
export interface Rebuild {
  organizationId: string;
  projectId: string;
  /** When events came last. */
  activeMs: number;
  /** Time up to which it was evaluated: from then on a new detector watches it. */
  sinceMs: number;
  /** Attempts that failed, ended with the process, or are not over. */
  attempts: number;
}

/** Project to rebuild. */
export interface QueuedProject extends Pick<Rebuild, 'projectId' | 'activeMs'> {
  /** Time up to which an offloaded one was evaluated; null: it was in memory. */
  offloadedMs: number | null;
}

/**
 * Queues projects whose state cannot be used. Those that were excluded in the last day are left out: their detector is
 * reset.
 */
export async function insertRebuilds(database: Queryable, projects: QueuedProject[]): Promise<void> {
  await database.query(
    `INSERT INTO risk_rebuilds (project_id, active_ms, since_ms)
      SELECT p.id, asked.active_ms, coalesce(asked.offloaded_ms, progress.time_ms)
      FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS asked (project_id, active_ms, offloaded_ms)
        JOIN projects p ON p.id = asked.project_id AND p.deleted_at IS NULL
        CROSS JOIN risk_progress progress
      WHERE NOT EXISTS (SELECT FROM risk_excluded_projects e WHERE e.project_id = p.id)
      ON CONFLICT (project_id) DO NOTHING`,
    [
      projects.map(({ projectId }) => projectId),
      projects.map(({ activeMs }) => Math.floor(activeMs)),
      projects.map(({ offloadedMs }) => offloadedMs),
    ],
  );
}

/** The queued project with the newest events, but for some. */
export async function findNextRebuild(database: Queryable, exceptIds: string[]): Promise<Rebuild | null> {
  const { rows } = await database.query<Rebuild>(
    `SELECT p.organization_id AS "organizationId", p.id AS "projectId", r.active_ms AS "activeMs",
        r.since_ms AS "sinceMs", r.attempts
      FROM risk_rebuilds r JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
      WHERE p.id <> ALL ($1) ORDER BY r.active_ms DESC, p.id LIMIT 1`,
    [exceptIds],
  );
  return rows[0] ?? null;
}

/** @returns true if one of the projects is queued */
export async function addRebuildAttempts(
  database: Queryable,
  projectIds: string[],
  attempts: 1 | -1,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'UPDATE risk_rebuilds SET attempts = attempts + $2 WHERE project_id = ANY ($1)',
    [projectIds, attempts],
  );
  return rowCount !== 0;
}

/** @returns true if the project was queued */
export async function deleteRebuild(database: Queryable, projectId: string): Promise<boolean> {
  const { rowCount } = await database.query('DELETE FROM risk_rebuilds WHERE project_id = $1', [projectId]);
  return rowCount === 1;
}

export async function countRebuilds(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM risk_rebuilds r JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL`,
  );
  return rows[0]?.count ?? 0;
}

/** Incident that is open, or that a person has resolved after a time. */
interface FormerIncident extends ReopenedIncident {
  isResolved: boolean;
}

/** State of the detector before that its successor takes over beside the counts. */
export interface FormerState {
  /** In ascending order, those that are resolved first: an alarm belongs to an open one sooner. */
  incidents: FormerIncident[];
  lateSources: SteadyLateSource[];
}

/** Times of the detectors, and how far they are ahead of the clocks. */
interface FormerTimes {
  shiftMs: number;
  /** Incidents that people resolved from then on are returned as well; missing: none. */
  sinceMs?: number;
}

export async function findFormerState(
  database: Queryable,
  organizationId: string,
  projectId: string,
  times: FormerTimes,
): Promise<FormerState> {
  const lateSources = await listLateSources(database, organizationId, projectId);
  return {
    incidents: await listReopened(database, organizationId, projectId, times),
    lateSources: lateSources.map(({ source, behindMs, since }) => {
      return { source, behindMs, sinceMs: since.getTime() + times.shiftMs };
    }),
  };
}

/** Incidents of the detector that have not ended for it. */
async function listReopened(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { shiftMs, sinceMs = Number.POSITIVE_INFINITY }: FormerTimes,
): Promise<FormerIncident[]> {
  const { rows } = await database.query<{
    number: number;
    isResolved: boolean;
    createdAt: Date;
    evidence: StoredEvidence | null;
  }>(
    `SELECT risk_number AS number, status = 'resolved' AS "isResolved", created_at AS "createdAt", evidence FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND risk_number IS NOT NULL
        AND (status <> 'resolved' OR resolved_at >= to_timestamp($3::float8 / 1000)) AND evidence ->> 'endedAt' IS NULL
      ORDER BY status <> 'resolved', risk_number`,
    [organizationId, projectId, sinceMs - shiftMs],
  );
  return rows.map(({ number, isResolved, createdAt, evidence }) => ({
    number,
    isResolved,
    side: evidence ? sideOf(evidence.rule) : UP,
    openedAtMs: createdAt.getTime() + shiftMs,
    series: evidence ? [evidence.series, ...evidence.alsoSeries].map(toSeries) : [],
  }));
}

import type { Pool } from '../../src/database/database.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { markLateHours } from './late-hours.ts';

/** SQL of a value for each event, over its number `n`, from 0 on. */
export interface StoredEvents {
  count: number;
  /** Time of event 0, the oldest. */
  firstMs: number;
  /** Distance between events; default: 1. */
  stepMs?: number;
  type?: string;
  severity?: string;
  message?: string;
  fingerprint?: string;
  payload?: string;
}

/** Writes events, their counts and their groups directly into the store, which saves sending and processing many or large ones. */
export async function storeEvents(
  pool: Pool,
  project: { organizationId: string; id: string },
  {
    count,
    firstMs,
    stepMs = 1,
    type = "'load'",
    severity = "'info'",
    message = "'m'",
    fingerprint = "'f'",
    payload = "'{}'",
  }: StoredEvents,
): Promise<void> {
  const [organizationId, projectId] = [toUuid('org', project.organizationId), toUuid('proj', project.id)];
  if (!organizationId || !projectId) throw new Error(`${project.id} is no id of a project.`);
  await pool.query(
    `WITH stored AS (
        INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message,
          correlation_id, fingerprint, correlation, payload)
        SELECT (lpad(to_hex($3::bigint + n * ${stepMs}), 12, '0') || '7000' || lpad(to_hex(n), 16, '0'))::uuid, $1, $2,
          to_timestamp(($3::bigint + n * ${stepMs}) / 1000.0), (${severity})::severity, ${type}, NULL, ${message}, 'c', ${fingerprint}, '{}',
          (${payload})::jsonb
        FROM generate_series(0, ${count - 1}) AS n
        RETURNING *, to_timestamp(('x0000' || left(id::text, 8) || substr(id::text, 10, 4))::bit(64)::bigint / 60000 * 60)
          AS minute
      ), kinds AS MATERIALIZED (
        SELECT organization_id, project_id, fingerprint, min(message) AS title, min(type) AS type, max(severity) AS severity,
          count(*) AS count, min(minute) AS first_seen, max(minute) AS last_seen
        FROM stored GROUP BY 1, 2, 3
      ), begun AS (
        INSERT INTO groups (id, organization_id, project_id, number, fingerprint, title, type, severity, count, first_seen,
          last_seen)
        SELECT gen_random_uuid(), organization_id, project_id, row_number() OVER (), fingerprint, left(title, 300), type,
          severity, count, first_seen, last_seen
        FROM kinds WHERE NOT EXISTS (SELECT FROM group_fingerprints AS f
          WHERE f.project_id = kinds.project_id AND f.fingerprint = kinds.fingerprint)
        RETURNING id, project_id, fingerprint, number
      ), led AS (
        INSERT INTO group_fingerprints (project_id, fingerprint, group_id, number)
        SELECT project_id, fingerprint, id, number FROM begun
      ), places AS (
        SELECT project_id, fingerprint, id FROM begun
        UNION ALL SELECT project_id, fingerprint, group_id FROM group_fingerprints
      ), counted AS (
        INSERT INTO group_minutes AS m (group_id, project_id, minute, info, warn, error, critical)
        SELECT places.id, project_id, minute, count(*) FILTER (WHERE severity = 'info'),
          count(*) FILTER (WHERE severity = 'warn'), count(*) FILTER (WHERE severity = 'error'),
          count(*) FILTER (WHERE severity = 'critical')
        FROM stored JOIN places USING (project_id, fingerprint) GROUP BY 1, 2, 3
        ON CONFLICT (group_id, minute) DO UPDATE SET info = m.info + excluded.info, warn = m.warn + excluded.warn,
          error = m.error + excluded.error, critical = m.critical + excluded.critical
      )
      INSERT INTO event_counts
      SELECT organization_id, project_id, minute, severity, type, source, count(*)
      FROM stored GROUP BY 1, 2, 3, 4, 5, 6`,
    [organizationId, projectId, firstMs],
  );
  const times = Array.from({ length: count }, (_, index) => ({
    projectId,
    minuteMs: firstMs + index * stepMs,
  }));
  await markLateHours(pool, organizationId, times);
}

import type { Queryable } from '../../database/database.ts';
import { NO_QUOTA, type Quota } from '../api-keys/quota.ts';

const LIMITS = 'per_5_minutes AS "per5Minutes", per_hour AS "perHour", per_day AS "perDay"';

/** Subject of a quota: a project, or one of its keys. */
export interface QuotaSubject {
  projectId: string;
  keyId: string | null;
}

/** @returns null if none is chosen */
export async function findQuota(
  database: Queryable,
  organizationId: string,
  { projectId, keyId }: QuotaSubject,
): Promise<Quota | null> {
  const { rows } = await database.query<Quota>(
    `SELECT ${LIMITS} FROM quotas q JOIN projects p ON p.id = q.project_id
      WHERE p.organization_id = $1 AND q.project_id = $2 AND q.key_id IS NOT DISTINCT FROM $3`,
    [organizationId, projectId, keyId],
  );
  return rows[0] ?? null;
}

export async function upsertQuota(
  database: Queryable,
  organizationId: string,
  { projectId, keyId }: QuotaSubject,
  { per5Minutes, perHour, perDay }: Quota,
): Promise<void> {
  await database.query(
    `INSERT INTO quotas (project_id, key_id, per_5_minutes, per_hour, per_day)
      SELECT id, $3, $4, $5, $6 FROM projects WHERE organization_id = $1 AND id = $2
      ON CONFLICT (project_id, key_id) DO UPDATE SET per_5_minutes = excluded.per_5_minutes,
        per_hour = excluded.per_hour, per_day = excluded.per_day`,
    [organizationId, projectId, keyId, per5Minutes, perHour, perDay],
  );
}

export interface LimitedKey {
  id: string;
  projectId: string;
  name: string;
  use: 'server' | 'browser';
}

/** A key that sends events: pings and hooks are not limited. */
const SENDS_EVENTS = "k.use IN ('server', 'browser')";

/** Locks a key and shares its project; null: there is none. */
export async function lockLimitedKey(
  transaction: Queryable,
  organizationId: string,
  keyId: string,
): Promise<LimitedKey | null> {
  const { rows } = await transaction.query<LimitedKey>(
    `SELECT k.id, k.project_id AS "projectId", k.name, k.use FROM api_keys k JOIN projects p ON p.id = k.project_id
      WHERE p.organization_id = $1 AND k.id = $2 AND p.deleted_at IS NULL AND ${SENDS_EVENTS}
      FOR NO KEY UPDATE OF k FOR KEY SHARE OF p`,
    [organizationId, keyId],
  );
  return rows[0] ?? null;
}

/** Lists the keys of a project, newest first, with the quotas that were chosen for them. */
export async function listLimitedKeys(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<(LimitedKey & { quota: Quota | null })[]> {
  const { rows } = await database.query<LimitedKey & Quota & { isChosen: boolean }>(
    `SELECT k.id, k.project_id AS "projectId", k.name, k.use, q.project_id IS NOT NULL AS "isChosen", ${LIMITS}
      FROM api_keys k JOIN projects p ON p.id = k.project_id LEFT JOIN quotas q ON q.key_id = k.id
      WHERE p.organization_id = $1 AND k.project_id = $2 AND ${SENDS_EVENTS} ORDER BY k.id DESC`,
    [organizationId, projectId],
  );
  return rows.map(({ isChosen, per5Minutes, perHour, perDay, ...key }) => ({
    ...key,
    quota: isChosen ? { per5Minutes, perHour, perDay } : null,
  }));
}

/** Limit that is exceeded. */
export interface ExceededLimit {
  keyId: string | null;
  keyName: string | null;
  seconds: number;
  since: Date;
  refused: number;
}

/** Lists the limits that refuse events in the window of the time, or have refused some in the one before. */
export async function listExceededLimits(
  database: Queryable,
  organizationId: string,
  projectId: string,
  now: Date,
): Promise<ExceededLimit[]> {
  const { rows } = await database.query<ExceededLimit>(
    `SELECT k.id AS "keyId", k.name AS "keyName", w.seconds, w.over_since AS since, sum(w.refused)::bigint AS refused
      FROM quota_windows w JOIN projects p ON p.id = w.project_id
      LEFT JOIN api_keys k ON k.id = w.subject_id AND k.project_id = w.project_id
      WHERE p.organization_id = $1 AND w.project_id = $2 AND w.over_since IS NOT NULL
        AND (k.id IS NOT NULL OR w.subject_id = w.project_id)
      GROUP BY k.id, k.name, w.seconds, w.over_since
      HAVING max(w.starts_at) <= $3 AND max(w.starts_at) > $3::timestamptz - make_interval(secs => 2 * w.seconds)
      ORDER BY w.over_since, w.seconds, k.id`,
    [organizationId, projectId, now],
  );
  return rows;
}

/** Highest share of periods with no more events than the percentile. */
const PERCENTILE = 0.99;

/** Returns the 99th percentile of the events of a project in each period with any since a time; null: there is no full one. */
export async function findUsualMaxima(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { since, now }: { since: Date; now: Date },
): Promise<Quota> {
  const { rows } = await database.query<Quota>(
    `WITH hours AS MATERIALIZED (
        SELECT hour, sum(quarter_1) AS q1, sum(quarter_2) AS q2, sum(quarter_3) AS q3, sum(quarter_4) AS q4
        FROM event_hours
        WHERE scope = 'project' AND organization_id = $1 AND project_id = $2 AND hour >= $3 AND hour < $4 GROUP BY hour
      ), quarters AS (
        SELECT quarter FROM hours CROSS JOIN LATERAL unnest(ARRAY[q1, q2, q3, q4]) AS quarter WHERE quarter > 0
      ), days AS (
        SELECT sum(q1 + q2 + q3 + q4) AS day FROM hours
        WHERE hour < date_trunc('day', $4::timestamptz, 'UTC') GROUP BY date_trunc('day', hour, 'UTC')
      )
      SELECT (SELECT percentile_cont(${PERCENTILE}) WITHIN GROUP (ORDER BY quarter::float8) / 3 FROM quarters) AS "per5Minutes",
        (SELECT percentile_cont(${PERCENTILE}) WITHIN GROUP (ORDER BY (q1 + q2 + q3 + q4)::float8) FROM hours) AS "perHour",
        (SELECT percentile_cont(${PERCENTILE}) WITHIN GROUP (ORDER BY day::float8) FROM days) AS "perDay"`,
    [organizationId, projectId, since, now],
  );
  return rows[0] ?? NO_QUOTA;
}

/** Project that has exceeded a limit. */
export interface ExceedingProject {
  organizationId: string;
  organizationName: string;
  projectId: string;
  projectName: string;
  since: Date;
}

/** Marks exceeded limits as announced, and returns their projects. Not by organization: it announces those of all. */
export async function updateExceededAnnounced(
  transaction: Queryable,
  limit: number,
): Promise<ExceedingProject[]> {
  const { rows } = await transaction.query<ExceedingProject>(
    `WITH found AS MATERIALIZED (
        SELECT w.subject_id, w.seconds, w.starts_at, w.over_since, p.organization_id, o.name AS organization_name, p.id,
          p.name AS project_name
        FROM quota_windows w JOIN projects p ON p.id = w.project_id AND p.deleted_at IS NULL
        JOIN organizations o ON o.id = p.organization_id
        WHERE w.over_since IS NOT NULL AND NOT w.is_announced
        ORDER BY w.subject_id, w.seconds, w.starts_at LIMIT $1 FOR UPDATE OF w SKIP LOCKED FOR KEY SHARE OF p SKIP LOCKED
      ), marked AS (
        UPDATE quota_windows w SET is_announced = true FROM found f
        WHERE w.subject_id = f.subject_id AND w.seconds = f.seconds AND w.starts_at = f.starts_at
      )
      SELECT organization_id AS "organizationId", organization_name AS "organizationName", id AS "projectId",
        project_name AS "projectName", min(over_since) AS since
      FROM found GROUP BY organization_id, organization_name, id, project_name`,
    [limit],
  );
  return rows;
}

export async function deleteQuotaWindowsBefore(database: Queryable, before: Date): Promise<void> {
  await database.query('DELETE FROM quota_windows WHERE starts_at < $1', [before]);
}

import type { Queryable } from '../../database/database.ts';
import type { Quota } from '../../tenancy/api-keys/quota.ts';
import type { QuotaWindow, WindowReport } from './lease.ts';

/** Quota that was chosen for a project or a key. */
export interface ChosenQuota extends Quota {
  subjectId: string;
}

/** Lists the quotas of projects and keys of all organizations, without those of default. */
export async function listChosenQuotas(database: Queryable): Promise<ChosenQuota[]> {
  const { rows } = await database.query<ChosenQuota>({
    name: 'list-chosen-quotas',
    text: `SELECT coalesce(q.key_id, q.project_id) AS "subjectId", q.per_5_minutes AS "per5Minutes",
        q.per_hour AS "perHour", q.per_day AS "perDay"
      FROM quotas q JOIN projects p ON p.id = q.project_id WHERE p.deleted_at IS NULL`,
  });
  return rows;
}

const keysOf = (windows: readonly QuotaWindow[]) => [
  windows.map(({ subjectId }) => subjectId),
  windows.map(({ periodMs }) => periodMs / 1_000),
  windows.map(({ startMs }) => new Date(startMs)),
];

/** Inserts the windows that have no row yet, but those of deleted projects. Not by organization: the projects are those of keys. */
export async function insertQuotaWindows(
  database: Queryable,
  windows: readonly QuotaWindow[],
): Promise<void> {
  await database.query({
    name: 'insert-quota-windows',
    text: `WITH live AS (
        SELECT id FROM projects WHERE id = ANY($4::uuid[]) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE
      )
      INSERT INTO quota_windows (subject_id, seconds, starts_at, project_id)
        SELECT w.subject_id, w.seconds, w.starts_at, w.project_id
        FROM unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::uuid[]) AS w (subject_id, seconds, starts_at, project_id)
        JOIN live ON live.id = w.project_id
        ORDER BY 1, 2, 3
      ON CONFLICT DO NOTHING`,
    values: [...keysOf(windows), windows.map(({ projectId }) => projectId)],
  });
}

/** Time after its last report from which on what a process holds counts as used: it was killed, or has reported all. */
const LEASE_SECONDS = 30;

/**
 * Applies the reports of a process, and grants the events that it wants as far as the limits allow. A process gets some in
 * advance, as long as all processes together hold no more than a hundredth of the limit unused: what a process holds that
 * is killed is lost until the end of the window. A window that follows one that was exceeded continues it, but for whole days.
 * @returns the events granted to each window, in order; null: it has no row
 */
export async function updateQuotaWindows(
  database: Queryable,
  reports: readonly { window: QuotaWindow; limit: number; report: WindowReport }[],
  { processId, now }: { processId: string; now: Date },
): Promise<(number | null)[]> {
  const { rows } = await database.query<{ place: number; granting: number }>({
    name: 'update-quota-windows',
    text: `WITH locked AS (
        SELECT r.*, q.granted, q.leases
        FROM quota_windows AS q JOIN unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::bigint[],
            $7::bigint[], $8::bigint[]) WITH ORDINALITY
          AS r (subject_id, seconds, starts_at, max_events, wanted, used, returned, refused, place)
          USING (subject_id, seconds, starts_at)
        ORDER BY subject_id, seconds, starts_at FOR UPDATE OF q
      ), settled AS (
        SELECT subject_id, seconds, starts_at, max_events, wanted, refused, place, granted - returned AS granted,
          coalesce((leases -> $10::text ->> 'held')::bigint, 0) - used - returned AS held,
          (SELECT coalesce(jsonb_object_agg(l.process, l.lease), '{}') FROM jsonb_each(leases) AS l (process, lease)
            WHERE l.process <> $10::text AND (l.lease ->> 'until')::float8 > extract(epoch FROM $9::timestamptz)) AS others
        FROM locked
      ), summed AS (
        SELECT *, greatest(0, held) + (SELECT coalesce(sum((o.lease ->> 'held')::bigint), 0)::bigint
          FROM jsonb_each(others) AS o (process, lease)) AS held_by_all
        FROM settled
      ), decided AS (
        SELECT *, CASE WHEN wanted = 0 THEN 0 ELSE
          greatest(0, least(max_events - granted,
            wanted + greatest(0, least(max_events / 200, max_events / 100 - held_by_all)))) END AS granting
        FROM summed
      )
      UPDATE quota_windows AS q SET max_events = d.max_events, granted = d.granted + d.granting,
        leases = d.others || CASE WHEN d.held + d.granting <= 0 THEN '{}' ELSE jsonb_build_object($10::text, jsonb_build_object(
          'held', d.held + d.granting, 'until', extract(epoch FROM $9::timestamptz) + $11::integer)) END,
        refused = q.refused + d.refused,
        over_since = CASE WHEN q.over_since IS NULL AND d.refused > 0 THEN coalesce(former.over_since, $9::timestamptz) ELSE q.over_since END,
        is_announced = q.is_announced OR (d.refused > 0 AND coalesce(former.is_announced, false))
      FROM decided AS d LEFT JOIN quota_windows AS former ON former.subject_id = d.subject_id AND former.seconds = d.seconds
        AND former.starts_at = d.starts_at - make_interval(secs => d.seconds) AND d.seconds < 86400
      WHERE q.subject_id = d.subject_id AND q.seconds = d.seconds AND q.starts_at = d.starts_at
      RETURNING d.place, d.granting`,
    values: [
      ...keysOf(reports.map(({ window }) => window)),
      reports.map(({ limit }) => limit),
      reports.map(({ report }) => report.wanted),
      reports.map(({ report }) => report.used),
      reports.map(({ report }) => report.returned),
      reports.map(({ report }) => report.refused),
      now,
      processId,
      LEASE_SECONDS,
    ],
  });
  const granted = new Map(rows.map(({ place, granting }) => [place, granting]));
  return reports.map((_report, index) => granted.get(index + 1) ?? null);
}
